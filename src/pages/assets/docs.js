// Makes the manual more comfortable: the language of code is remembered, "/" goes to the search, and a
// request can be tried with a test key. Nothing here is needed to read it.

(() => {
  const KEPT = 'quittance-code';

  // One language for all code -------------------------------------------------------------------
  const choose = (language) => {
    for (const tab of document.querySelectorAll(`.tab[value="${CSS.escape(language)}"]`)) {
      tab.checked = true;
    }
  };
  const kept = (() => {
    try {
      return localStorage.getItem(KEPT);
    } catch {
      return null;
    }
  })();
  if (kept) choose(kept);
  document.addEventListener('change', ({ target }) => {
    if (!target.matches('.tab')) return;
    const before = target.getBoundingClientRect().top;
    choose(target.value);
    window.scrollBy(0, target.getBoundingClientRect().top - before);
    try {
      localStorage.setItem(KEPT, target.value);
    } catch {
      // A browser that keeps nothing shows the first language again.
    }
  });

  for (const button of document.querySelectorAll('.copy[data-copy]')) button.hidden = false;

  // Search ----------------------------------------------------------------------------------------
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target.closest?.('input, textarea, select');
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    const search = document.querySelector('.manual-search input');
    if (!search) return;
    event.preventDefault();
    search.focus();
  });

  // Try it ----------------------------------------------------------------------------------------
  const form = document.querySelector('form.try');
  if (!form) return;
  form.hidden = false;
  const output = form.querySelector('output');

  const hex = (bytes) =>
    Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
  const sign = async (secret, text) => {
    const encoder = new TextEncoder();
    const algorithm = { name: 'HMAC', hash: 'SHA-256' };
    const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, [
      'sign',
    ]);
    return hex(await crypto.subtle.sign('HMAC', key, encoder.encode(text)));
  };

  const send = async () => {
    const { method, path, base } = form.dataset;
    const fields = new FormData(form);
    const query = new URLSearchParams();
    let filled = path;
    for (const [name, value] of fields) {
      if (name.startsWith('query.') && value !== '') query.set(name.slice(6), value);
      if (name.startsWith('path.')) filled = filled.replace(`{${name.slice(5)}}`, value);
    }
    const body = method === 'GET' ? '' : (fields.get('body') ?? '');
    const { time } = await (await fetch(`${base}/time`)).json();
    const text = `${filled.toLowerCase()}${time}${method}${body}`;
    const headers = {
      'Content-Type': 'application/json',
      'X-Digest-Key': fields.get('key'),
      'X-Digest-Timestamp': String(time),
      'X-Digest-Signature': await sign(fields.get('secret'), text),
    };
    const search = query.size > 0 ? `?${query}` : '';
    const request = method === 'GET' ? { headers } : { method, headers, body };
    const answer = await fetch(`${base}${filled}${search}`, request);
    const said = await answer.text();
    const shown = /json/.test(answer.headers.get('content-type') ?? '')
      ? JSON.stringify(JSON.parse(said), undefined, 2)
      : said;
    const code = answer.headers.get('x-error-code');
    return `${answer.status}${code ? ` ${code}` : ''}\n${shown}`;
  };

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const button = form.querySelector('button');
    button.disabled = true;
    try {
      output.textContent = await send();
    } catch (error) {
      output.textContent = `The request could not be made: ${error.message}`;
    }
    button.disabled = false;
  });
})();
