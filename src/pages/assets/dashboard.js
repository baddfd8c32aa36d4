// Everything of the dashboard but passkeys works without a script.

// A block with `data-passkey` asks the server for a question, the browser for its answer, and posts
// that as a form.
(() => {
  if (!window.PublicKeyCredential?.parseRequestOptionsFromJSON) return;

  const ask = async (block, form) => {
    const body = new URLSearchParams({ form: form.elements.form.value });
    const answer = await fetch(block.dataset.question, { method: 'POST', body });
    if (answer.redirected) {
      location.href = answer.url;
      return undefined;
    }
    if (!answer.ok) throw new Error(`the question was not asked: ${answer.status}`);
    return answer.json();
  };

  const answerOf = (block, options) => {
    if (block.dataset.passkey === 'create') {
      const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
      return navigator.credentials.create({ publicKey });
    }
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
    return navigator.credentials.get({ publicKey });
  };

  for (const block of document.querySelectorAll('[data-passkey]')) {
    block.hidden = false;
    const form = block.querySelector('form');
    const button = form.querySelector('button[type=button]');
    const fault = form.querySelector('[role=alert]');
    button.addEventListener('click', async () => {
      fault.hidden = true;
      button.disabled = true;
      try {
        const question = await ask(block, form);
        if (question === undefined) return;
        const credential = await answerOf(block, question.options);
        form.elements.step.value = question.step;
        form.elements.answer.value = JSON.stringify(credential);
        form.submit();
      } catch {
        fault.hidden = false;
      } finally {
        button.disabled = false;
      }
    });
  }

  // Where one may choose a passkey, a password is asked for only by whoever wants one.
  for (const choice of document.querySelectorAll('[data-needs=passkey]')) {
    choice.hidden = false;
    const password = document.getElementById('by-password');
    const show = () => {
      password.hidden = choice.querySelector('input[value=passkey]').checked;
    };
    choice.querySelector('input[value=passkey]').checked = true;
    choice.addEventListener('change', show);
    show();
  }
})();

// On a wide screen the rooms are never folded away; older browsers need to be told so.
(() => {
  const isWide = matchMedia('(min-width: 60rem)').matches;
  if (!isWide || CSS.supports('selector(::details-content)')) return;
  for (const fold of document.querySelectorAll('.fold')) fold.open = true;
})();

// A frame with `data-preview` shows what that form says, soon after it was typed.
(() => {
  for (const frame of document.querySelectorAll('[data-preview]')) {
    const form = document.getElementById(frame.dataset.preview);
    const [path] = frame.getAttribute('src').split('?');
    let soon = 0;
    form.addEventListener('input', () => {
      clearTimeout(soon);
      soon = setTimeout(() => {
        const values = new URLSearchParams(new FormData(form));
        for (const name of ['form', 'at']) values.delete(name);
        frame.contentWindow.location.replace(`${path}?${values}`);
      }, 300);
    });
  }
})();

// `/` leads to the search of this page, or to that of the checkouts; `?` says so. A key counts only
// where nothing is typed, and can be switched off: who speaks to his machine types such signs by
// chance (WCAG 2.2, 2.1.4).
(() => {
  const block = document.querySelector('[data-keys]');
  if (block === null) return;
  const dialog = document.getElementById('keyboard');
  const isOn = document.getElementById('keyboard-on');
  const field = () =>
    document.querySelector('form[role=search] input:not([type=hidden], [type=date])');
  const find = () => {
    const { keys } = block.dataset;
    if (field() !== null) field().focus();
    else if (keys !== '') location.assign(keys);
  };
  block.hidden = false;
  isOn.checked = localStorage.getItem('keys') !== 'off';
  isOn.addEventListener('change', () => localStorage.setItem('keys', isOn.checked ? 'on' : 'off'));
  document.getElementById('keyboard-open').addEventListener('click', () => dialog.showModal());
  document.addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey, target } = event;
    const isTyped = target.closest('input, textarea, select, dialog') !== null;
    if (!isOn.checked || isTyped || ctrlKey || metaKey || altKey) return;
    if (key !== '/' && key !== '?') return;
    event.preventDefault();
    if (key === '/') find();
    else dialog.showModal();
  });
  if (location.hash === '#find') field()?.focus();
})();
