'use strict';
// Replaces what is live when the results file has changed; a part that is being used stays until it is left.
const status = () => document.getElementById('busy');
async function refresh() {
  const text = await (await fetch(location.href)).text();
  const fresh = new DOMParser().parseFromString(text, 'text/html');
  for (const part of document.querySelectorAll('[data-live]')) {
    const next = fresh.getElementById(part.id);
    if (!next || part.innerHTML === next.innerHTML || part.contains(document.activeElement)) continue;
    const open = [...part.querySelectorAll('details')].map(d => d.open);
    part.innerHTML = next.innerHTML;
    part.querySelectorAll('details').forEach((d, n) => { d.open = open[n] ?? d.open; });
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
document.addEventListener('submit', () => { if (status()) status().textContent = 'working…'; });
addEventListener('pageshow', () => { if (status()) status().textContent = ''; });
