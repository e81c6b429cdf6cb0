'use strict';
const asKnown = new URLSearchParams(location.search).get('as');
const el = id => document.getElementById(id);
const steps = data.steps, last = steps.length - 1, seats = data.bots.map((_, seat) => seat);
const open = {};
let now = 0, timer = 0;

// Pictures and messages come as changes to the one before, the last change first.
function change(text, changes) {
  const next = text.slice(), fresh = new Set();
  let moved = 0;
  for (const [place, removed, ...added] of changes) next.splice(place, removed, ...added);
  for (const [place, removed, ...added] of changes.slice().reverse()) {
    added.forEach((_, n) => fresh.add(place + moved + n));
    moved += added.length - removed;
  }
  return [next, fresh];
}
const words = numbers => numbers.map(n => data.pieces[n]).join('');
{
  let board = [];
  const read = seats.map(() => []);
  for (const step of steps) {
    [board, step.fresh] = change(board, step.svg);
    step.board = board;
    for (const e of step.says) {
      let branch = board;
      e.line = (e.line || []).map(([seat, told, changes]) => {
        [branch] = change(branch, changes);
        return {seat, words: told, svg: words(branch)};
      });
      [read[e.seat]] = change(read[e.seat], e.send || []);
      e.lines = read[e.seat];
    }
  }
}

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
  const label = name + ', ' + +low.toPrecision(3) + ' to ' + (high < 1000 ? +high.toPrecision(3) : Math.round(high));
  add(box, 'figcaption', label);
  box.insertAdjacentHTML('beforeend', '<svg role="img" viewBox="0 0 600 100" preserveAspectRatio="none">' + middle +
    lines.join('') + '<line class="mark" y1="0" y2="100"/></svg>');
  box.lastChild.setAttribute('aria-label', label);
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

// What a search said, in words.
function thought(t) {
  const all = [];
  if (t && t.value !== null) all.push('value ' + t.value.toFixed(3));
  for (const k of ['depth', 'nodes', 'visits']) if (t && t[k] !== null) all.push(k + ' ' + t[k]);
  return all;
}

// The moves a search looked at, best first, with their share of the visits; where a server plays them, each can be seen
// on the board.
function candidates(box, think, who, at, seat) {
  if (!think || !think.best.length) return;
  const all = think.best.reduce((sum, c) => sum + (c.visits || 0), 0);
  const table = add(box, 'table', undefined, 'best'), head = add(add(table, 'thead'), 'tr'), body = add(table, 'tbody');
  const counted = think.best.some(c => c.visits !== null);
  for (const name of ['looked at', ...counted ? ['visits', 'share'] : [], 'value']) add(head, 'th', name).scope = 'col';
  for (const c of think.best) {
    const row = add(body, 'tr');
    const plain = c.answer.replaceAll('_', ' '), cell = add(row, 'td', data.asking === null ? plain : undefined);
    if (data.asking !== null) {
      const asked = `/line?game=${data.asking}&turn=${at}&seat=${seat}&instead=${encodeURIComponent(c.answer)}`;
      shower(cell, plain, plain + ' on the board', who, at, () => fetch(asked).then(r => r.json()));
    }
    if (counted) {
      add(row, 'td', c.visits ?? '');
      const share = all && c.visits !== null ? 100 * c.visits / all : null;
      const bar = add(row, 'td', share === null ? '' : share.toFixed(0) + ' %', 'share');
      if (share !== null) bar.style.background = `linear-gradient(to right,#2e86ab55 ${share}%,transparent ${share}%)`;
    }
    add(row, 'td', c.value === null ? '' : (c.bound ? '≤ ' : '') + c.value.toFixed(3));
  }
}

// A button that plays a line on the board.
function shower(box, text, name, who, from, line) {
  const button = add(box, 'button', text);
  button.type = 'button';
  button.setAttribute('aria-label', name);
  button.addEventListener('click', async () => {
    button.disabled = true;
    try {
      const shown = await line();
      if (shown.length) follow({who, from, shown}, 0);
      else button.textContent = 'the rules do not allow it';
    } catch (error) {
      button.textContent = 'no answer: ' + error.message;
    }
    button.disabled = false;
  });
}

// What a bot expects, in its words.
function expects(box, pv, who, from, line) {
  if (!pv) return;
  const p = add(box, 'p', 'expects ' + pv + ' ', 'facts');
  if (line) shower(p, 'on the board', 'the line of ' + who + ' on the board', who, from, line);
}

// A line on the board, one answer at a time; any step of the game itself ends it.
function follow(line, n) {
  play(false);
  const k = Math.max(0, Math.min(line.shown.length - 1, n)), at = line.shown[k], box = el('course');
  el('board').innerHTML = k ? line.shown[k - 1].svg : words(steps[line.from].board);
  const known = new Set([...el('board').querySelectorAll('*')].map(e => e.outerHTML));
  el('board').innerHTML = at.svg;
  const svg = el('board').querySelector('svg');
  if (svg) mark(svg, [svg, ...svg.querySelectorAll('*')].flatMap((e, i) => known.has(e.outerHTML) ? [] : [i]));
  box.replaceChildren();
  add(box, 'p', `line of ${line.who} at step ${line.from}, answer ${k + 1} of ${line.shown.length}: seat ${at.seat} ${at.words}`);
  const button = (text, name, to) => {
    const node = add(box, 'button', text);
    node.type = 'button';
    node.setAttribute('aria-label', name);
    node.disabled = to < 0 || to >= line.shown.length;
    node.addEventListener('click', () => { follow(line, to); box.querySelectorAll('button')[to < k ? 0 : 1].focus(); });
  };
  button('◀', 'back in the line', k - 1);
  button('▶', 'on in the line', k + 1);
  const back = add(box, 'button', 'back to the game');
  back.type = 'button';
  back.addEventListener('click', () => show(line.from));
}

// A seat's card: its score, its latest answer, what it thought, how long it took.
function card(seat) {
  const step = steps[now], scores = now === last ? data.scores : step.scores;
  const [at, e] = latest[now][seat] || [];
  const box = add(el('says'), 'article', undefined, 'seat' + seat + (at === now ? '' : ' old'));
  const head = add(box, 'h2');
  add(head, 'span', 'seat ' + seat, 'facts');
  add(head, 'span', data.bots[seat], 'bot');
  const verdict = data.verdicts[seat];
  if (verdict && verdict !== 'fine') add(head, 'span', verdict, 'fault');
  if (Array.isArray(scores)) add(head, 'span', scores[seat], 'score');
  if (e) {
    const words = [e.ms.toFixed(2) + ' ms', ...thought(e.think)];
    if (at !== now) words.push('at step ' + at);
    add(box, 'pre', e.out.trimEnd(), 'answer');
    add(box, 'p', words.join(' · '), 'facts');
    candidates(box, e.think, data.bots[seat], at, seat);
    const asked = () => fetch(`/line?game=${data.asking}&turn=${at}&seat=${seat}`).then(r => r.json());
    const line = e.line.length ? async () => e.line : data.asking !== null ? asked : null;
    expects(box, e.think?.pv, data.bots[seat], at, line);
    more(box, 'stderr', e.err, e.err.trim().split('\n').some(line => !line.startsWith('think ')));
  }
  more(box, 'read', step.says.filter(s => s.seat === seat).map(s => words(s.lines)).join(''), false);
}

// Marks what the last answers changed on the board.
function mark(svg, fresh) {
  const all = [svg, ...svg.querySelectorAll('*')];
  const shapes = [...fresh].map(n => all[n]).filter(s => s && /^(rect|circle|ellipse|polygon|path)$/.test(s.tagName));
  if (shapes.length > 60) return;
  const boxes = new Set();
  for (const shape of shapes) {
    const b = shape.getBBox();
    boxes.add([b.x - 1, b.y - 1, b.width + 2, b.height + 2].map(v => v.toFixed(1)).join(' '));
  }
  for (const text of boxes) {
    const node = document.createElementNS('http://www.w3.org/2000/svg', 'rect'), box = text.split(' ');
    ['x', 'y', 'width', 'height'].forEach((k, n) => node.setAttribute(k, box[n]));
    node.setAttribute('class', 'fresh');
    svg.append(node);
  }
}

let plain = '';
function show(n) {
  now = Math.max(0, Math.min(last, n));
  el('board').innerHTML = words(steps[now].board);
  plain = el('board').innerHTML;
  const svg = el('board').querySelector('svg');
  if (svg && now) mark(svg, steps[now].fresh);
  el('spot').textContent = '';
  el('course').replaceChildren();
  el('at').value = now;
  el('count').textContent = now + ' / ' + last;
  for (const mark of document.querySelectorAll('.mark'))
    for (const k of ['x1', 'x2']) mark.setAttribute(k, 600 * now / Math.max(last, 1));
  el('says').replaceChildren();
  seats.forEach(card);
  asked();
}

function play(on) {
  clearInterval(timer);
  timer = 0;
  if (on && now === last) show(0);
  if (on) timer = setInterval(() => now < last ? show(now + 1) : play(false), +el('speed').value);
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

const answers = (seat, n) => steps[n].says.find(e => e.seat === seat && e.want);
const value = (seat, n) => answers(seat, n)?.think?.value ?? null;

// Steps worth a look: where an evaluation jumps most, where both differ most, where somebody failed or was slow.
function jumps() {
  let swing = [0], apart = [0];
  const known = seats.map(() => null), faults = [];
  const slow = Math.max(...steps.flatMap(s => s.says.map(e => e.ms)));
  let slowest = 0;
  steps.forEach((step, n) => {
    for (const seat of seats) {
      const v = value(seat, n), e = answers(seat, n);
      if (v !== null) {
        if (known[seat] && Math.abs(v - known[seat][0]) > swing[0]) swing = [Math.abs(v - known[seat][0]), n];
        known[seat] = [v, n];
      }
      if (e && /^<\w+>$/.test(e.out)) faults.push(n);
      if (e && e.ms === slow) slowest = n;
    }
    if (seats.length === 2 && known[0] && known[1] && Math.abs(known[0][1] - known[1][1]) <= 2) {
      const d = Math.abs(known[0][0] + known[1][0] - 1);
      if (d > apart[0]) apart = [d, n];
    }
  });
  data.verdicts.forEach((verdict, seat) => {
    if (verdict === 'fine' || !latest[last]?.[seat]) return;
    if (!faults.includes(latest[last][seat][0])) faults.push(latest[last][seat][0]);
  });
  const button = (name, n) => {
    const node = add(el('jumps'), 'button', name + ' (' + n + ')');
    node.type = 'button';
    node.addEventListener('click', () => go(n));
  };
  if (swing[0] > 0) button('largest swing', swing[1]);
  if (apart[0] > 0) button('they disagree most', apart[1]);
  for (const n of faults.slice(0, 5)) button('fault', n);
  if (slow > 0) button('slowest answer', slowest);
  return faults;
}

// Asks bots again, through the server this page comes from.
let form = null;
function asked() {
  if (!form) return;
  const seated = steps[now].says.filter(e => e.want).map(e => e.seat), before = form.seat.value || asKnown;
  form.seat.replaceChildren(...seated.map(seat => new Option(`seat ${seat} ${data.bots[seat]}`, seat)));
  if (seated.includes(+before)) form.seat.value = before;
  form.send.disabled = !seated.length;
  form.title.textContent = seated.length ? 'Ask again at step ' + now : 'Nobody is asked at step ' + now;
  seat();
}

// Until the reader names somebody, who sat there is asked again.
function seat() {
  if (!form.named && form.seat.value !== '') form.a.value = data.bots[form.seat.value];
}

function effort() {
  const own = form.effort.value === 'own';
  form.amount.disabled = own;
  form.amount.parentElement.hidden = own;
}

function asking() {
  const box = add(el('ask'), 'form');
  form = {title: add(box, 'h2', 'Ask again')};
  const label = (name, node) => { const l = add(box, 'label', name + ' '); l.append(node); return node; };
  const input = (text, width) => { const n = document.createElement('input'); n.value = text; n.style.width = width; return n; };
  const choice = list => { const n = document.createElement('select'); for (const [v, t] of list) n.add(new Option(t, v)); return n; };
  form.seat = label('for', choice([]));
  form.a = label('bot A', input(data.bots[0], '13rem'));
  form.b = label('bot B', input('engine', '13rem'));
  form.b.placeholder = 'nobody';
  form.effort = label('each with', choice([['own', 'its own clock or work'], ['clock', 'milliseconds'], ['work', 'iterations']]));
  form.amount = label('how many', input('500', '6rem'));
  form.times = label('times', choice([[1, '1'], [10, '10'], [20, '20'], [100, '100']]));
  form.playouts = label('then play each choice out, games', input('0', '4rem'));
  form.with = label('by', input('engine:50', '8rem'));
  for (const n of [form.amount, form.playouts]) n.inputMode = 'numeric';
  form.send = add(box, 'button', 'Ask');
  const out = add(box, 'div', undefined, 'answers');
  out.setAttribute('role', 'status');
  form.seat.addEventListener('change', seat);
  form.a.addEventListener('input', () => { form.named = true; });
  form.effort.addEventListener('change', effort);
  effort();
  box.addEventListener('submit', async event => {
    event.preventDefault();
    const from = Date.now(), tick = setInterval(() => { out.textContent = `asking… ${Math.round((Date.now() - from) / 1000)} s`; }, 1000);
    out.textContent = 'asking…';
    form.send.disabled = true;
    const question = {game: data.asking, turn: now, seat: +form.seat.value, bots: [form.a.value, form.b.value],
      effort: form.effort.value, amount: Math.round(+form.amount.value) || 0, times: +form.times.value,
      playouts: Math.round(+form.playouts.value) || 0, with: form.with.value};
    try {
      const reply = await fetch('/ask', {method: 'POST', headers: {'content-type': 'application/json'}, body: JSON.stringify(question)});
      clearInterval(tick);
      told(out, await reply.json(), question);
    } catch (error) {
      clearInterval(tick);
      out.textContent = 'no answer: ' + error.message;
    }
    form.send.disabled = false;
  });
}

function told(out, reply, question) {
  out.replaceChildren();
  if (reply.error) return add(out, 'p', reply.error, 'fault');
  add(out, 'p', `step ${question.turn}, seat ${question.seat}; the contest gives ${reply.limit.toFixed(0)} ms`, 'facts');
  const recorded = answers(question.seat, question.turn);
  if (recorded) {
    const box = add(out, 'article');
    add(box, 'h2', data.bots[question.seat] + ', as recorded');
    add(box, 'pre', recorded.out.trimEnd(), 'answer');
    add(box, 'p', [recorded.ms.toFixed(1) + ' ms', ...thought(recorded.think)].join(' · '), 'facts');
    candidates(box, recorded.think, data.bots[question.seat], question.turn, question.seat);
  }
  if (reply.differs) add(out, 'p', 'the simulator differs from the record: ' + reply.differs, 'fault');
  for (const a of reply.answers) {
    const box = add(out, 'article');
    add(box, 'h2', a.bot);
    add(box, 'pre', a.text ?? 'no answer', 'answer');
    add(box, 'p', [a.effort, a.ms.toFixed(1) + ' ms', ...thought(a.think)].join(' · '), 'facts');
    candidates(box, a.think, a.bot, question.turn, question.seat);
    expects(box, a.think?.pv, a.bot, question.turn, a.line.length ? async () => a.line : null);
    if (a.fault) add(box, 'p', a.fault, 'fault');
    if (a.astray) add(box, 'p', 'asked of another position: at step ' + a.past.other + ' it would have answered otherwise', 'fault');
  }
  if (!reply.playouts.length) return;
  add(out, 'p', `played out ${reply.playouts[0].points.length} times each by ${question.with}; points and margin of seat ` +
    `${question.seat}, with their 95 % interval:`, 'facts');
  const table = add(out, 'table'), head = add(add(table, 'thead'), 'tr'), body = add(table, 'tbody');
  for (const name of ['choice', 'points', 'margin', 'by']) add(head, 'th', name).scope = 'col';
  for (const p of reply.playouts) {
    const row = add(body, 'tr');
    add(row, 'td', p.choice);
    add(row, 'td', `${(100 * p.mean).toFixed(1)} % (${(100 * p.range[0]).toFixed(0)} to ${(100 * p.range[1]).toFixed(0)})`);
    add(row, 'td', (p.margin[0] > 0 ? '+' : '') + p.margin[0].toFixed(2) + ' ± ' + p.margin[1].toFixed(2));
    if (p.once) add(row.cells[1], 'p', 'all alike: counts for one game', 'facts');
    const by = reply.answers.filter(a => a.text === p.choice).map(a => a.bot);
    if (recorded && recorded.out.trimEnd() === p.choice) by.unshift('recorded');
    add(row, 'td', by.join(', '));
  }
}

el('at').max = last;
chart('score', (seat, n) => {
  const scores = n === last ? data.scores : steps[n].scores;
  return Array.isArray(scores) && steps.some(s => Array.isArray(s.scores)) ? scores[seat] : null;
});
chart('expected result', value, [0, 1]);
chart('ms an answer', (seat, n) => answers(seat, n)?.ms ?? null);
chart('depth', (seat, n) => answers(seat, n)?.think?.depth ?? null);
chart('nodes', (seat, n) => answers(seat, n)?.think?.nodes ?? null);
const faults = jumps();
if (data.asking !== null) asking();
el('board').addEventListener('click', e => {
  const title = e.target.querySelector(':scope > title');
  el('spot').textContent = title ? title.textContent : '';
});
el('at').addEventListener('input', e => go(+e.target.value));
el('speed').addEventListener('change', () => { if (timer) play(true); });
el('first').addEventListener('click', () => go(0));
el('back').addEventListener('click', () => go(now - 1));
el('play').addEventListener('click', () => play(!timer));
el('next').addEventListener('click', () => go(now + 1));
el('final').addEventListener('click', () => go(last));
el('copy').addEventListener('click', copy);
document.addEventListener('keydown', e => {
  const to = {ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: last}[e.key];
  if (to === undefined || e.altKey || e.ctrlKey || e.metaKey || /^(INPUT|SELECT)$/.test(e.target.tagName) && e.target.id !== 'at') return;
  e.preventDefault();
  go(to);
});
// `#12` opens the page at that step, `#fault` at the first fault.
show(location.hash === '#fault' ? faults[0] ?? last : +location.hash.slice(1) || 0);

// FNV-1a over UTF-16 units, as the writer of this page computed it.
function fingerprint(text) {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return h.toString(16).padStart(8, '0');
}

if (location.hash === '#check') {
  const press = key => document.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
  const found = {width: true, readable: true, marked: false};
  const look = () => {
    const board = el('board').firstElementChild.getBoundingClientRect(), view = el('board').firstElementChild.viewBox;
    const scale = Math.min(board.width / view.baseVal.width, board.height / view.baseVal.height);
    const page = document.documentElement;
    found.width &&= page.scrollWidth <= page.clientWidth && board.right <= page.clientWidth;
    found.marked ||= el('board').querySelector('.fresh') !== null;
    for (const text of el('board').querySelectorAll('text'))
      found.readable &&= parseFloat(getComputedStyle(text).fontSize) * scale >= 7;
  };
  look();
  for (let i = 0; i < last; i++) {
    press('ArrowRight');
    look();
  }
  const svg = words(steps[now].board), shown = new DOMParser().parseFromString(svg, 'text/html').body.innerHTML;
  found.steps = now === last;
  found.board = plain === shown && fingerprint(svg) === data.last;
  press('ArrowLeft');
  found.back = now === Math.max(0, last - 1);
  press('Home');
  found.home = now === 0 && el('seed').textContent === data.seed;
  press('End');
  document.body.dataset.check = JSON.stringify(found);
}
