'use strict';
(async () => {
  const data = document.getElementById('data');
  let text = data.textContent;
  if (data.type === 'application/gzip') {
    const zipped = new Blob([Uint8Array.from(atob(text), letter => letter.charCodeAt(0))]);
    text = await new Response(zipped.stream().pipeThrough(new DecompressionStream('gzip'))).text();
  }
  window.data = JSON.parse(text);
  const script = document.createElement('script');
  script.textContent = document.getElementById('code').textContent;
  document.body.append(script);
})();
