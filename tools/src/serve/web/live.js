'use strict';
// Replaces what is live when the results file has changed; a part that is being used stays until it is left.
const status = () => document.getElementById('busy');
async function refresh() {
  const text = await (await fetch(location.href)).text();
  const fresh = new DOMParser().parseFromString(text, 'text/html');
  for (const part of document.querySelectorAll('[data-live]')) {
    const next = fresh.getElementById(part.id);
    const used = part.contains(document.activeElement) ? document.activeElement : null;
    if (!next || part.innerHTML === next.innerHTML || used?.matches('input,select,textarea')) continue;
    const open = [...part.querySelectorAll('details')].map(d => d.open);
    const typed = [...part.querySelectorAll('input')].map(i => i.value !== i.defaultValue ? i.value : null);
    const within = () => [...part.querySelectorAll('a,button,summary,[tabindex]')];
    const at = used ? within().indexOf(used) : -1;
    part.innerHTML = next.innerHTML;
    part.querySelectorAll('details').forEach((d, n) => { d.open = open[n] ?? d.open; });
    part.querySelectorAll('input').forEach((i, n) => { if (typed[n] != null) i.value = typed[n]; });
    // Whoever walks the page by keyboard stays where they were.
    if (at >= 0) within()[at]?.focus();
  }
}
if (document.querySelector('[data-live]')) {
  let due = false;
  const events = new EventSource('/events');
  events.addEventListener('news', () => { document.hidden ? due = true : refresh().catch(() => {}); });
  events.onerror = () => { status().textContent = 'the server is gone'; };
  events.onopen = () => { status().textContent = ''; };
  document.addEventListener('visibilitychange', () => { if (!document.hidden && due) { due = false; refresh().catch(() => {}); } });
}
// A bot's source is compiled before it is taken: say so.
document.addEventListener('submit', e => {
  if (status()) status().textContent = 'working…';
  // A filter's address says only what is filtered.
  if (e.target.getAttribute('role') === 'search')
    for (const field of e.target.elements) if (field.name && !field.value.trim()) field.disabled = true;
});
addEventListener('pageshow', () => {
  if (status()) status().textContent = '';
  for (const field of document.querySelectorAll('form[role=search] [disabled]')) field.disabled = false;
});
