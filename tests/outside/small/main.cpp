#include <limber/method.hpp>

int main() { return limber::find_method("linear_fem") ? 0 : 1; }
