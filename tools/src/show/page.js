'use strict';
const data = JSON.parse(document.getElementById('data').textContent);
const el = id => document.getElementById(id);
const steps = data.steps, last = steps.length - 1, seats = data.bots.map((_, seat) => seat);
const open = {};
let now = 0, timer = 0;

// Where each seat's latest answer up to a step stands: [step, exchange] by seat.
const latest = [];
steps.forEach((step, n) => {
  const row = n ? latest[n - 1].slice() : [];
  for (const e of step.says) if (e.want) row[e.seat] = [n, e];
  latest.push(row);
});

function add(parent, tag, text, cls) {
  const node = document.createElement(tag);
  if (text !== undefined) node.textContent = text;
  if (cls) node.className = cls;
  parent.append(node);
  return node;
}

// A chart with one line a seat; `value(seat, step)` is a number or null. Nothing where there is nothing to see.
function chart(name, value, range) {
  const rows = seats.map(seat => steps.map((_, n) => value(seat, n)));
  const all = rows.flat().filter(v => typeof v === 'number');
  const [low, high] = range || [Math.min(0, ...all), Math.max(0, ...all)];
  if (all.length < 2 || high === low) return;
  const x = i => (600 * i / Math.max(last, 1)).toFixed(1), y = v => (96 - 92 * (v - low) / (high - low)).toFixed(1);
  const lines = rows.map((values, seat) => {
    const points = values.map((v, i) => typeof v === 'number' ? x(i) + ',' + y(v) : '').filter(Boolean);
    return `<polyline class="seat${seat}" points="${points.join(' ')}"/>`;
  });
  const middle = range ? `<line class="middle" x1="0" x2="600" y1="50" y2="50"/>` : '';
  const box = add(el('curves'), 'figure', undefined, 'curve');
  add(box, 'figcaption', name + ', ' + +low.toPrecision(3) + ' to ' + (high < 1000 ? +high.toPrecision(3) : Math.round(high)));
  box.insertAdjacentHTML('beforeend', '<svg viewBox="0 0 600 100" preserveAspectRatio="none">' + middle +
    lines.join('') + '<line class="mark" y1="0" y2="100"/></svg>');
  box.lastChild.addEventListener('click', e => {
    const at = e.currentTarget.getBoundingClientRect();
    show(Math.round(last * (e.clientX - at.left) / at.width));
  });
}

// Opened at first as told, then as the reader left it.
function more(box, name, text, shown) {
  if (!text.trim()) return;
  const node = add(box, 'details');
  node.open = open[name] ?? shown;
  add(node, 'summary', name).addEventListener('click', () => { open[name] = !node.open; });
  add(node, 'pre', text.trimEnd());
}

// A seat's card: its score, its latest answer, what it thought, how long it took.
function card(seat) {
  const step = steps[now], scores = now === last ? data.scores : step.scores;
  const [at, e] = latest[now][seat] || [];
  const box = add(el('says'), 'article', undefined, 'seat' + seat + (at === now ? '' : ' old'));
  const head = add(box, 'h2');
  add(head, 'span', data.bots[seat], 'bot');
  const verdict = data.verdicts[seat];
  if (verdict && verdict !== 'fine') add(head, 'span', verdict, 'fault');
  if (Array.isArray(scores)) add(head, 'span', scores[seat], 'score');
  if (e) {
    const t = e.think, words = [e.ms.toFixed(2) + ' ms'];
    if (t && t.value !== null) words.push('value ' + t.value.toFixed(3));
    for (const k of ['depth', 'nodes', 'visits']) if (t && t[k] !== null) words.push(k + ' ' + t[k]);
    if (at !== now) words.push('at step ' + at);
    add(box, 'pre', e.out.trimEnd(), 'answer');
    add(box, 'p', words.join(' · '), 'facts');
    if (t && t.pv) add(box, 'p', 'expects ' + t.pv, 'facts');
    more(box, 'stderr', e.err, e.err.trim().split('\n').some(line => !line.startsWith('think ')));
  }
  more(box, 'read', step.says.filter(s => s.seat === seat).map(s => s.send).join(''), false);
}

function show(n) {
  now = Math.max(0, Math.min(last, n));
  el('board').innerHTML = steps[now].svg;
  el('at').value = now;
  el('count').textContent = now + ' / ' + last;
  for (const mark of document.querySelectorAll('.mark'))
    for (const k of ['x1', 'x2']) mark.setAttribute(k, 600 * now / Math.max(last, 1));
  el('says').replaceChildren();
  seats.forEach(card);
}

function play(on) {
  clearInterval(timer);
  timer = 0;
  if (on && now === last) show(0);
  if (on) timer = setInterval(() => now < last ? show(now + 1) : play(false), 500);
  el('play').textContent = timer ? '❚❚' : '►';
  el('play').setAttribute('aria-label', timer ? 'pause' : 'play');
}

function go(n) {
  play(false);
  show(n);
}

async function copy() {
  try {
    await navigator.clipboard.writeText(data.seed);
  } catch {
    getSelection().selectAllChildren(el('seed'));
    document.execCommand('copy');
  }
  el('copy').textContent = 'copied';
  setTimeout(() => { el('copy').textContent = 'copy'; }, 1500);
}

el('at').max = last;
chart('score', (seat, n) => {
  const scores = n === last ? data.scores : steps[n].scores;
  return Array.isArray(scores) && steps.some(s => Array.isArray(s.scores)) ? scores[seat] : null;
});
const answers = (seat, n) => steps[n].says.find(e => e.seat === seat && e.want);
chart('expected result', (seat, n) => {
  const e = answers(seat, n);
  return e && e.think ? e.think.value : null;
}, [0, 1]);
chart('ms an answer', (seat, n) => {
  const e = answers(seat, n);
  return e ? e.ms : null;
});
el('at').addEventListener('input', e => go(+e.target.value));
el('first').addEventListener('click', () => go(0));
el('back').addEventListener('click', () => go(now - 1));
el('play').addEventListener('click', () => play(!timer));
el('next').addEventListener('click', () => go(now + 1));
el('final').addEventListener('click', () => go(last));
el('copy').addEventListener('click', copy);
document.addEventListener('keydown', e => {
  const to = {ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: last}[e.key];
  if (to === undefined || e.altKey || e.ctrlKey || e.metaKey) return;
  e.preventDefault();
  go(to);
});
// `#12` opens the page at that step.
show(+location.hash.slice(1) || 0);

// FNV-1a over UTF-16 units, as the writer of this page computed it.
function fingerprint(text) {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return h.toString(16).padStart(8, '0');
}

if (location.hash === '#check') {
  const press = key => document.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
  const found = {width: true, readable: true};
  const look = () => {
    const board = el('board').firstElementChild.getBoundingClientRect(), view = el('board').firstElementChild.viewBox;
    const scale = Math.min(board.width / view.baseVal.width, board.height / view.baseVal.height);
    const page = document.documentElement;
    found.width &&= page.scrollWidth <= page.clientWidth && board.right <= page.clientWidth;
    for (const text of el('board').querySelectorAll('text'))
      found.readable &&= parseFloat(getComputedStyle(text).fontSize) * scale >= 7;
  };
  look();
  for (let i = 0; i < last; i++) {
    press('ArrowRight');
    look();
  }
  const shown = new DOMParser().parseFromString(steps[now].svg, 'text/html').body.innerHTML;
  found.steps = now === last;
  found.board = el('board').innerHTML === shown && fingerprint(steps[now].svg) === data.last;
  press('ArrowLeft');
  found.back = now === Math.max(0, last - 1);
  press('Home');
  found.home = now === 0 && el('seed').textContent === data.seed;
  press('End');
  document.body.dataset.check = JSON.stringify(found);
}
