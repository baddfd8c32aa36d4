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
