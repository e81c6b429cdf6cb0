'use strict';
const data = JSON.parse(document.getElementById('data').textContent);
const el = id => document.getElementById(id);
const steps = data.steps, last = steps.length - 1;
let now = 0;

function add(parent, tag, text, cls) {
  const node = document.createElement(tag);
  if (text !== undefined) node.textContent = text;
  if (cls) node.className = cls;
  parent.append(node);
  return node;
}

// The curve of the scores, or of the bots' own expectations where the position has no score.
function lines() {
  const rows = [];
  if (steps.some(s => Array.isArray(s.scores))) {
    data.bots.forEach((_, seat) => rows.push([seat, steps.map(s => s.scores ? s.scores[seat] : null)]));
  } else {
    data.bots.forEach((_, seat) => rows.push([seat, steps.map(s => {
      const e = s.says.find(e => e.seat === seat && e.think && e.think.value !== null);
      return e ? e.think.value : null;
    })]));
  }
  return rows;
}

function curve() {
  const rows = lines(), all = rows.flatMap(r => r[1]).filter(v => typeof v === 'number');
  if (all.length < 2) return '';
  const low = Math.min(...all), span = Math.max(...all) - low || 1;
  const x = i => (600 * i / Math.max(last, 1)).toFixed(1), y = v => (95 - 90 * (v - low) / span).toFixed(1);
  const paths = rows.map(([seat, values]) => {
    const points = values.map((v, i) => typeof v === 'number' ? x(i) + ',' + y(v) : '').filter(Boolean);
    return `<polyline class="seat${seat}" style="stroke:var(--s)" fill="none" stroke-width="2" points="${points.join(' ')}"/>`;
  });
  return `<svg viewBox="0 0 600 100" preserveAspectRatio="none">${paths.join('')}` +
    `<line id="mark" y1="0" y2="100" stroke="currentColor" stroke-opacity=".5"/></svg>`;
}

function show(n) {
  now = Math.max(0, Math.min(last, n));
  const step = steps[now], says = el('says');
  el('board').innerHTML = step.svg;
  el('at').value = now;
  el('count').textContent = now + ' / ' + last;
  const mark = document.getElementById('mark');
  if (mark) for (const k of ['x1', 'x2']) mark.setAttribute(k, 600 * now / Math.max(last, 1));
  says.replaceChildren();
  if (Array.isArray(step.scores)) add(says, 'p', 'score ' + step.scores.join(' : '));
  for (const e of step.says) {
    const box = add(says, 'article', undefined, 'seat' + e.seat);
    if (e.want) {
      const head = add(box, 'div');
      add(head, 'b', data.bots[e.seat] || 'seat ' + e.seat);
      add(head, 'span', ' ' + e.ms.toFixed(2) + ' ms', 'ms');
      add(box, 'pre', e.out.trimEnd());
    }
    if (e.think) {
      const t = e.think, words = [];
      if (t.value !== null) words.push('value ' + t.value.toFixed(3));
      for (const k of ['depth', 'nodes', 'visits']) if (t[k] !== null) words.push(k + ' ' + t[k]);
      if (t.pv) words.push(t.pv);
      add(box, 'div', words.join(', '), 'ms');
    }
    for (const [name, text] of [['stderr', e.err], ['read', e.send]]) {
      if (!text) continue;
      const more = add(box, 'details');
      add(more, 'summary', name);
      add(more, 'pre', text.trimEnd());
    }
  }
}

el('at').max = last;
el('curve').innerHTML = curve();
el('at').addEventListener('input', e => show(+e.target.value));
el('first').addEventListener('click', () => show(0));
el('back').addEventListener('click', () => show(now - 1));
el('next').addEventListener('click', () => show(now + 1));
el('final').addEventListener('click', () => show(last));
el('copy').addEventListener('click', () => navigator.clipboard && navigator.clipboard.writeText(data.seed));
document.addEventListener('keydown', e => {
  const to = {ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: last}[e.key];
  if (to === undefined || e.target.tagName === 'INPUT' && e.key !== 'Home' && e.key !== 'End') return;
  e.preventDefault();
  show(to);
});
show(0);

// FNV-1a over UTF-16 units, as the writer of this page computed it.
function fingerprint(text) {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return h.toString(16).padStart(8, '0');
}

if (location.hash === '#check') {
  const press = key => document.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
  for (let i = 0; i < last; i++) press('ArrowRight');
  const shown = new DOMParser().parseFromString(steps[now].svg, 'text/html').body.innerHTML;
  const found = {
    steps: now === last,
    board: el('board').innerHTML === shown && fingerprint(steps[now].svg) === data.last,
    width: document.documentElement.scrollWidth <= document.documentElement.clientWidth,
  };
  press('ArrowLeft');
  found.back = now === Math.max(0, last - 1);
  press('End');
  document.body.dataset.check = JSON.stringify(found);
}
