// Around the code to scan: it is enlarged by a click, and somebody whose machine opened no wallet is
// told so; and the button of WalletConnect. Nothing of it is needed to pay.

(() => {
  const noWalletMs = 2000;
  const { nonce } = document.currentScript;

  /** Nothing of WalletConnect is loaded before; then it has a button among the other wallets. */
  const connect = (button) => {
    const script = document.createElement('script');
    Object.assign(script, { type: 'module', src: button.dataset.script, nonce });
    script.id = 'connect-script';
    script.addEventListener('error', () => {
      script.remove();
      prepare();
    });
    document.head.append(script);
    prepare();
  };

  const enlarge = () => {
    const code = document.querySelector('#qr .qr');
    const button = document.getElementById('zoom');
    if (!code || !button) return;
    const dialog = document.createElement('dialog');
    const close = document.createElement('button');
    dialog.className = 'large-code';
    close.className = 'quiet';
    close.textContent = button.dataset.close;
    dialog.append(code.cloneNode(true), close);
    dialog.addEventListener('click', () => dialog.close());
    dialog.addEventListener('close', () => {
      dialog.remove();
      button.focus();
    });
    document.body.append(dialog);
    dialog.showModal();
  };

  let waiting;
  const askForWallet = () => {
    clearTimeout(waiting);
    let hasLeft = false;
    const leave = () => {
      hasLeft = true;
    };
    addEventListener('blur', leave, { once: true });
    document.addEventListener('visibilitychange', leave, { once: true });
    waiting = setTimeout(() => {
      const note = document.getElementById('no-wallet');
      if (hasLeft || document.hidden || !note) return;
      note.hidden = false;
      note.textContent = note.dataset.text;
      const fold = document.getElementById('code');
      if (fold) fold.open = true;
    }, noWalletMs);
  };

  document.addEventListener('click', ({ target }) => {
    if (target.closest('#zoom, #qr .qr')) enlarge();
    if (target.closest('#wallet')) askForWallet();
    if (target.id === 'connect') connect(target);
  });

  const prepare = () => {
    const zoom = document.getElementById('zoom');
    if (zoom) zoom.hidden = false;
    const button = document.getElementById('connect');
    // Its keys need https.
    const isLoaded = document.getElementById('connect-script');
    if (button) button.hidden = Boolean(isLoaded) || !isSecureContext;
    // A browser that cannot show what is folded beside the fields unfolds it.
    const isWide = matchMedia('(min-width: 64rem)').matches;
    const fold = document.getElementById('code');
    if (fold && isWide && !CSS.supports('selector(details::details-content)')) fold.open = true;
  };
  document.addEventListener('quittance:page', prepare);
  prepare();
})();
