// The live page: its sliders, its mouse and its frames. limber dyrt writes it, and what it imports, into one file.
import {Character, LINEAR_REACH} from './live_character.js';
import {View} from './live_view.js';

const $ = (id) => document.getElementById(id);

function bytesOf(id) {
  const text = atob($(id).textContent.trim()), out = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) out[i] = text.charCodeAt(i);
  $(id).remove();
  return out.buffer;
}

/// What would be typed: the command that was, with what the sliders say instead.
export function commandFor(words, asked) {
  const drop = new Set(['--draft']), added = [];
  if (asked.frequency !== null)
    ['--frequency', '--young'].forEach((o) => drop.add(o)), added.push(`--frequency ${asked.frequency}`);
  if (asked.settle !== null)
    ['--settle', '--damping-ratio'].forEach((o) => drop.add(o)), added.push(`--settle ${asked.settle}`);
  if (asked.amount !== null) drop.add('--amount'), added.push(`--amount ${asked.amount}`);
  return {kept: words.filter(([name]) => !drop.has(name)).map(([, typed]) => typed).join(' '), added: added.join(' ')};
}

/// Baking chooses stiffness anew where nobody names one: a draft, and other damping, then come out at other frequencies than are seen here.
export function keepsFrequency(words, asked) {
  const names = new Set(words.map(([name]) => name)), told = ['--material', '--young', '--frequency'].some((o) => names.has(o));
  return told || asked.frequency !== null || (asked.settle === null && !names.has('--draft'));
}

/// Of the page's width, how much the panel hides.
const hidden = () =>
  ($('panel').classList.contains('small') || innerWidth <= 720 ? 0 :
                                                                 $('panel').getBoundingClientRect().right / innerWidth);
const rounded = (value) => Number(value.toPrecision(3));
const between = (values, unit) => {
  const [low, high] = [Math.min(...values), Math.max(...values)].map((v) => Number(v.toPrecision(2)));
  return low === high ? `${low} ${unit}` : `${low} to ${high} ${unit}`;
};

/// A slider that is as the file was made until it is moved: { value } is null until then.
class Wish {
  constructor(id, made, unit, {low, high, even = false}) {
    Object.assign(this, {slider: $(id), made, unit, low, high, even, value: null});
    this.slider.addEventListener('input', () => {
      this.value = this.read();
      this.tell();
    });
    this.reset();
  }
  read() {
    const t = Number(this.slider.value);
    return rounded(this.even ? t : this.low * (this.high / this.low) ** t);
  }
  put(value) { this.slider.value = this.even ? value : Math.log(value / this.low) / Math.log(this.high / this.low); }
  set(value) {
    this.value = value;
    this.put(value);
    this.tell();
  }
  reset() {
    this.value = null;
    this.put(this.made.reduce((product, v) => product * v, 1) ** (1 / this.made.length));
    this.tell();
  }
  tell() {
    this.slider.nextElementSibling.textContent =
      this.value === null ? between(this.made, this.unit) : `${this.value} ${this.unit}`;
  }
}

class Panel {
  constructor(character) {
    const {model, flesh} = character, first = flesh.made.map((p) => p.omega[0] / (2 * Math.PI)),
                  settling = flesh.made.map((p) => Math.log(20) / Math.max(p.decay[0], 1e-3));
    const range = (values) => ({low: Math.min(...values) / 5, high: 5 * Math.max(...values)}), {amount} = model.damping;
    this.character = character;
    this.wishes = {
      frequency: new Wish('frequency', first, 'Hz', range(first)),
      settle: new Wish('settle', settling, 's', range(settling)),
      amount: new Wish('amount', [amount], '', {even: true}),
    };
    $('amount').max = Math.max(4, 2 * amount);
    this.wishes.amount.reset();
    $('amount').disabled = !(amount > 0);  // nothing times anything
    for (const wish of Object.values(this.wishes)) wish.slider.addEventListener('input', () => this.ask());
    $('reset').onclick = () => {
      for (const wish of Object.values(this.wishes)) wish.reset();
      this.ask();
    };
    this.fillClips(model);
    this.fillParts(first);
    this.listen();
    this.ask();
  }

  ask() {
    const asked = Object.fromEntries(Object.entries(this.wishes).map(([name, wish]) => [name, wish.value]));
    this.character.flesh.ask(asked);
    this.character.peaks.fill(0);
    const {kept, added} = commandFor(this.character.model.command, asked);
    $('added').textContent = added || 'nothing';
    $('typed').textContent = `${kept} ${added}`.trim();
    $('copied').textContent = '';
    $('anew').hidden = keepsFrequency(this.character.model.command, asked);
  }

  fillClips({clips, metres}) {
    const far = (m) => (m > 0 ? `${Number((1000 * m).toPrecision(2))} mm` : 'still');
    $('clip').replaceChildren(
      ...clips.map(
        (c, i) => new Option(`${c.name}, ${c.repeats ? 'repeats' : 'once'}, ${far(Math.max(...c.moves))}`, i)),
      new Option('none: the rest pose', -1));
    $('clip').value = this.character.flesh.clip;
    const tell = () => {
      const clip = clips[Number($('clip').value)], {parts} = this.character.asset;
      $('about').textContent = clip ?
        `${clip.duration.toPrecision(3)} s, ${
          clip.repeats ? 'repeats' :
            clip.why   ? `plays once: ${clip.why}` :
                         'plays once'  }; as baked ${parts.map((p, i) => `${p.name} ${far(clip.moves[i])}`).join(', ')}` :
          'only shaking and pulling move the flesh';
    };
    $('clip').onchange = () => {
      this.character.choose(Number($('clip').value));
      tell();
    };
    tell();
  }

  fillParts() {
    $('parts').replaceChildren(...this.character.asset.parts.map((part) => {
      const row = document.createElement('div');
      row.innerHTML =
        '<div class="row apart"><span></span><span class="quiet"></span></div><div class="bar"><i></i></div>';
      row.querySelector('span').textContent = part.name;
      row.title = `moves with ${part.bone}; ${part.modes} oscillators`;
      return row;
    }));
  }

  listen() {
    const {character} = this, number = (id, use) => {
      const tell = () => {
        $(id).nextElementSibling.textContent = Number($(id).value).toFixed(2);
        use(Number($(id).value));
      };
      $(id).addEventListener('input', tell);
      tell();
    };
    number('speed', (v) => { this.speed = v; });
    number('shake', (v) => { character.mover.shake[0] = v; });
    number('bounce', (v) => { character.mover.shake[1] = v; });
    $('time').addEventListener('input', () => {
      this.hold(true);
      character.jump(Number($('time').value));
    });
    $('play').onclick = () => this.hold(character.playing);
    $('again').onclick = () => {
      character.mover.rest();
      character.choose(character.flesh.clip);
      this.hold(false);
    };
    $('frame').onclick = () => character.camera.frame(character.box());
    $('flesh').onchange = () => { character.showFlesh = $('flesh').checked; };
    $('paint').onchange = () => {
      character.view.paint = $('paint').checked;
      $('legend').hidden = !$('paint').checked;
    };
    $('fold').onclick = () => { $('panel').classList.toggle('small'); };
    $('copy').onclick = async () => {
      const words = $('typed').textContent;
      try {
        await navigator.clipboard.writeText(words);
        $('copied').textContent = '(copied)';
      } catch {
        $('typed').parentElement.open = true;
        getSelection().selectAllChildren($('typed'));
        $('copied').textContent = '(selected: copy it)';
      }
    };
    addEventListener('keydown', (event) => {
      const key = {' ': 'play', f: 'flesh', c: 'paint'}[event.key];
      if (!key || event.ctrlKey || event.metaKey || ['INPUT', 'SELECT', 'BUTTON'].includes(event.target.tagName))
        return;
      event.preventDefault();
      $(key).click();
    });
  }

  hold(still) {
    if (this.character.playing === still) this.character.flesh.state.cut();  // bones that stop are no blow
    this.character.playing = !still;
    $('play').textContent = still ? 'play' : 'hold';
  }

  /// What changes from frame to frame.
  tell() {
    const {character} = this, {flesh, tables} = character, clip = character.model.clips[flesh.clip];
    $('time').max = clip ? clip.duration : 1;
    $('time').value = flesh.time;
    $('time').nextElementSibling.textContent = `${flesh.time.toFixed(2)} s`;
    let worst = '';
    [...$('parts').children].forEach((row, i) => {
      const share = character.reach[i] / tables[i].size, peak = character.peaks[i], bar = row.querySelector('.bar');
      row.querySelector('.quiet').textContent =
        `${(flesh.state.parts[i].part.omega[0] / (2 * Math.PI)).toPrecision(3)} Hz \u00b7 ${
          (100 * share).toFixed(0)} %, most ${(100 * peak).toFixed(0)} %`;
      bar.firstChild.style.width = `${Math.min(100, 100 * share / (2 * LINEAR_REACH))}%`;
      bar.className = `bar${share > 2 * LINEAR_REACH ? ' toomuch' : share > LINEAR_REACH ? ' much' : ''}`;
      if (peak > LINEAR_REACH) worst = character.asset.parts[i].name;
    });
    $('doubt').textContent = worst ?
      `${worst} moves by more than ${
        100 *
        LINEAR_REACH} % of its size: linear shapes look swollen there. A higher frequency or a lower amount helps.` :
      'in % of the part\u2019s size';
  }
}

/// The mouse: on the character it pulls, beside it it turns the view.
function takeMouse(canvas, character) {
  let doing = null, last = [0, 0];
  canvas.addEventListener('contextmenu', (event) => event.preventDefault());
  canvas.addEventListener('pointerdown', (event) => {
    canvas.setPointerCapture(event.pointerId);
    last = [event.clientX, event.clientY];
    doing = event.button !== 0 || event.shiftKey ? 'move' : character.grab(...last) ? 'pull' : 'turn';
    canvas.style.cursor = 'grabbing';
  });
  canvas.addEventListener('pointermove', (event) => {
    const here = [event.clientX, event.clientY], [x, y] = [here[0] - last[0], here[1] - last[1]], {camera} = character;
    if (doing) last = here;
    if (doing === 'pull' && character.held) character.held.at = here;
    if (doing === 'turn')
      [camera.yaw, camera.pitch] = [camera.yaw - 0.008 * x, Math.max(-0.4, Math.min(1.5, camera.pitch + 0.008 * y))];
    if (doing === 'move') {
      const step = 2 * camera.reach / canvas.clientHeight;
      camera.pan = camera.pan.map((v, i) => v + step * (y * camera.up[i] - x * camera.right[i]));
    }
  });
  const release = () => {
    doing = null;
    canvas.style.cursor = '';
    character.letGo();
  };
  canvas.addEventListener('pointerup', release);
  canvas.addEventListener('pointercancel', release);
  canvas.addEventListener('wheel', (event) => {
    event.preventDefault();
    character.camera.zoom =
      Math.max(0.1, Math.min(6, character.camera.zoom * Math.exp(0.001 * Math.max(-300, Math.min(300, event.deltaY)))));
  }, {passive: false});
}

function start() {
  const dyrt = bytesOf('dyrt'),
        character = new Character($('view'), JSON.parse($('head').textContent), bytesOf('blob'), dyrt);
  character.view = new View($('view'), character.model, character.meshes);
  const panel = new Panel(character);
  takeMouse($('view'), character);
  const frame = (dt) => {
    character.camera.hidden = hidden();
    character.pull(dt);
    character.advance(dt * panel.speed);
    character.draw();
    panel.tell();
  };
  window.limber = {character, panel, frame};  // for tests, and for those who look: #still lets them set the pace
  frame(0);
  let last = 0;
  const next = (now) => {
    const took = last ? (now - last) / 1000 : 0;
    if (!location.hash.includes('still')) frame(took);
    if (took < 1) character.pace(took);
    last = now;
    requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
}

try {
  start();
} catch (error) {
  $('words').textContent = error.message;
  throw error;
}
