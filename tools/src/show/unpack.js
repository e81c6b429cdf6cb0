'use strict';
(async () => {
  const letters = atob(document.getElementById('data').textContent);
  const zipped = new Blob([Uint8Array.from(letters, letter => letter.charCodeAt(0))]);
  const text = await new Response(zipped.stream().pipeThrough(new DecompressionStream('gzip'))).text();
  window.data = JSON.parse(text);
  const script = document.createElement('script');
  script.textContent = document.getElementById('code').textContent;
  document.body.append(script);
})();
