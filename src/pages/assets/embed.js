// Quittance.open(url, options): shows a hosted checkout above the page of a shop, as a modal window.
// How to use it: /docs/guides/embed. What it tells is for showing only; the webhook is the proof.
//
// Guarantees: messages are taken only from the frame it made and from the exact origin it was loaded
// from, and sent only there; a browser or a server that refuses the frame gets a redirect instead.

(() => {
  const home = new URL(document.currentScript.src).origin;
  const loadMs = 20_000;
  const answerMs = 3_000;

  const texts = {
    en: ['Payment', 'Close'],
    de: ['Zahlung', 'Schließen'],
    pt: ['Pagamento', 'Fechar'],
    es: ['Pago', 'Cerrar'],
    it: ['Pagamento', 'Chiudi'],
    tr: ['Ödeme', 'Kapat'],
    pl: ['Płatność', 'Zamknij'],
    fr: ['Paiement', 'Fermer'],
  };

  const textsFor = ({ pathname }) =>
    texts[pathname.split('/')[1]] ?? texts[navigator.language.slice(0, 2)] ?? texts.en;

  const make = (name, properties, style) => {
    const element = Object.assign(document.createElement(name), properties);
    // By script, not as an attribute: a strict policy of the shop allows it.
    Object.assign(element.style, style);
    return element;
  };

  const makeWindow = (url) => {
    const [title, closeText] = textsFor(url);
    const dialog = make(
      'dialog',
      { ariaLabel: title },
      {
        ...{ position: 'fixed', inset: '0', width: '100%', height: '100%', margin: '0' },
        ...{ maxWidth: 'none', maxHeight: 'none', padding: '0', border: '0', overflow: 'hidden' },
        ...{ display: 'flex', alignItems: 'center', justifyContent: 'center' },
        background: 'rgb(0 0 0 / 60%)',
      },
    );
    const panel = make(
      'div',
      {},
      {
        ...{ display: 'flex', flexDirection: 'column', overflow: 'hidden', borderRadius: '16px' },
        ...{ width: 'min(100%, 30rem)', height: 'min(100%, 52rem)' },
        ...{ colorScheme: 'light dark', background: 'Canvas', color: 'CanvasText' },
      },
    );
    const button = make(
      'button',
      { type: 'button', ariaLabel: closeText, title: closeText, textContent: '×' },
      {
        ...{ alignSelf: 'flex-end', width: '44px', height: '44px', padding: '0', border: '0' },
        ...{ background: 'none', color: 'inherit', font: '28px/1 system-ui', cursor: 'pointer' },
      },
    );
    const frame = make(
      'iframe',
      { title, allow: 'clipboard-write', src: url.href },
      { flex: '1', width: '100%', border: '0' },
    );
    panel.append(button, frame);
    dialog.append(panel);
    return { dialog, button, frame };
  };

  let current;

  /** `url`: of the hosted checkout. @throws TypeError when it is not of this server. */
  const open = (address, { onComplete, onClose, onState } = {}) => {
    const url = new URL(address);
    if (url.origin !== home) throw new TypeError(`Quittance.open: not a checkout of ${home}`);
    current?.close();
    const redirect = () => location.assign(url);
    if (!window.HTMLDialogElement?.prototype.showModal) {
      redirect();
      return { close() {} };
    }

    const { dialog, button, frame } = makeWindow(url);
    const { overflow } = document.documentElement.style;
    let known; // What the checkout said last.
    let isComplete = false;
    let isOver = false;

    const end = () => {
      isOver = true;
      clearTimeout(waiting);
      removeEventListener('message', hear);
      dialog.close();
      dialog.remove();
      document.documentElement.style.overflow = overflow;
      if (current === opened) current = undefined;
    };
    const giveUp = () => {
      end();
      redirect();
    };
    const close = () => {
      if (isOver) return;
      end();
      onClose?.({ state: known?.state, checkoutId: known?.checkoutId });
    };
    const hear = ({ source, origin, data }) => {
      if (source !== frame.contentWindow || origin !== home || data?.quittance !== 1) return;
      if (data.type === 'close') return close();
      if (data.type !== 'state') return;
      clearTimeout(waiting);
      if (!known && document.activeElement === button) frame.focus();
      const isNews = data.state !== known?.state;
      known = { state: data.state, checkoutId: data.checkoutId };
      if (isNews) onState?.(known);
      if (data.state !== 'paid' || isComplete) return;
      isComplete = true;
      onComplete?.(known);
    };

    let waiting = setTimeout(giveUp, loadMs);
    frame.addEventListener('load', () => {
      frame.contentWindow.postMessage({ quittance: 1, type: 'hello' }, home);
      if (known) return;
      // A refused frame loads as well: as a page that does not answer.
      clearTimeout(waiting);
      waiting = setTimeout(giveUp, answerMs);
    });
    button.addEventListener('click', close);
    dialog.addEventListener('close', close);
    addEventListener('message', hear);

    const opened = { close };
    current = opened;
    document.body.append(dialog);
    document.documentElement.style.overflow = 'hidden';
    // The rest of the page is inert, Escape closes, and the focus returns to where it was.
    dialog.showModal();
    return opened;
  };

  window.Quittance = Object.freeze({ open });
})();
