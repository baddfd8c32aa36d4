// Shows a hosted checkout inside the page of a shop: as a window above it, or in a place on it. How
// to use it: /docs/embed. What it tells is for showing only; the webhook is the proof.
//
// Guarantees: messages are taken only from the frame it made and from the exact origin it was loaded
// from, and sent only there; nothing but a state, an id and a height is in them. A browser or a
// server that refuses the frame leads to the hosted page instead. Shops pin these bytes: once they
// are released they stay, and what is new is embed-v2.js.

(() => {
  const home = new URL(document.currentScript.src).origin;
  const loadMs = 20_000;
  const answerMs = 3_000;

  const texts = {
    en: ['Payment', 'Close', 'Open in a new window'],
    de: ['Zahlung', 'Schließen', 'In einem neuen Fenster öffnen'],
    pt: ['Pagamento', 'Fechar', 'Abrir em uma nova janela'],
    es: ['Pago', 'Cerrar', 'Abrir en una ventana nueva'],
    it: ['Pagamento', 'Chiudi', 'Apri in una nuova finestra'],
    tr: ['Ödeme', 'Kapat', 'Yeni pencerede aç'],
    pl: ['Płatność', 'Zamknij', 'Otwórz w nowym oknie'],
    fr: ['Paiement', 'Fermer', 'Ouvrir dans une nouvelle fenêtre'],
    nl: ['Betaling', 'Sluiten', 'Openen in een nieuw venster'],
    cs: ['Platba', 'Zavřít', 'Otevřít v novém okně'],
    ro: ['Plată', 'Închide', 'Deschide într-o fereastră nouă'],
    uk: ['Оплата', 'Закрити', 'Відкрити в новому вікні'],
    ru: ['Оплата', 'Закрыть', 'Открыть в новом окне'],
    ja: ['お支払い', '閉じる', '新しいウィンドウで開く'],
    ko: ['결제', '닫기', '새 창에서 열기'],
    zh: ['付款', '关闭', '在新窗口中打开'],
    ar: ['الدفع', 'إغلاق', 'الفتح في نافذة جديدة'],
    he: ['תשלום', 'סגירה', 'פתיחה בחלון חדש'],
    hi: ['भुगतान', 'बंद करें', 'नई विंडो में खोलें'],
  };
  const textsFor = ({ pathname }) =>
    texts[pathname.split('/')[1].slice(0, 2)] ?? texts[navigator.language.slice(0, 2)] ?? texts.en;

  const make = (name, properties, style) => {
    const element = Object.assign(document.createElement(name), properties);
    // By script, not as an attribute: a strict policy of the shop allows it.
    Object.assign(element.style, style);
    return element;
  };
  const makeFrame = (url, style) =>
    make(
      'iframe',
      { title: textsFor(url)[0], allow: 'clipboard-write; web-share', src: url.href },
      { width: '100%', border: '0', ...style },
    );

  /** An address, or an object with one: `url`, or the `checkout` that the API answered. */
  const urlOf = (from) => {
    const url = new URL(from.url ?? from.checkout?.hostedCheckoutUrl ?? from);
    if (url.origin !== home) throw new TypeError(`Quittance: not a checkout of ${home}`);
    return url;
  };

  /** States of the page that are told by another name. */
  const eventNames = { pay: 'committed' };

  /**
   * What the frame says becomes events on `target` and calls of the shop. `close` is for a window,
   * `resize` for a place; `refused` when the frame does not answer.
   */
  const listen = ({ frame, mode, target, shop, close, resize, refused }) => {
    let known; // What the checkout said last.
    let isComplete = false;

    const tell = (name, detail) =>
      target.dispatchEvent(
        new CustomEvent(`quittance:${name}`, { bubbles: true, cancelable: true, detail }),
      );
    const takeState = ({ state, checkoutId }) => {
      clearTimeout(waiting);
      const before = known;
      known = { state, checkoutId };
      if (!before) tell('ready', known);
      if (state === before?.state) return;
      shop.onState?.(known);
      tell(eventNames[state] ?? state, known);
      if (state !== 'paid' || isComplete) return;
      isComplete = true;
      shop.onComplete?.(known);
    };
    const hear = ({ source, origin, data }) => {
      if (source !== frame.contentWindow || origin !== home || data?.quittance !== 1) return;
      if (data.type === 'state') takeState(data);
      if (data.type === 'close') close?.();
      if (data.type !== 'size' || !(data.height > 0)) return;
      resize?.(data.height);
      tell('resize', { ...known, height: data.height });
    };
    const stop = () => {
      clearTimeout(waiting);
      removeEventListener('message', hear);
    };
    const giveUp = () => {
      stop();
      // A shop that prevents the default shows something of its own.
      if (tell('error', { url: frame.src })) refused();
      else close?.();
    };

    let waiting = setTimeout(giveUp, loadMs);
    frame.addEventListener('load', () => {
      frame.contentWindow.postMessage({ quittance: 1, type: 'hello', mode }, home);
      if (known) return;
      // A refused frame loads as well: as a page that does not answer.
      clearTimeout(waiting);
      waiting = setTimeout(giveUp, answerMs);
    });
    addEventListener('message', hear);
    return {
      ended() {
        stop();
        const last = { state: known?.state, checkoutId: known?.checkoutId };
        shop.onClose?.(last);
        tell('closed', last);
      },
      stop,
    };
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
    const isPhone = matchMedia('(max-width: 30rem)').matches;
    const panel = make(
      'div',
      {},
      {
        ...{ display: 'flex', flexDirection: 'column', overflow: 'hidden' },
        ...{ width: 'min(100%, 30rem)', height: isPhone ? '100%' : 'min(100%, 52rem)' },
        borderRadius: isPhone ? '0' : '16px',
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
    const frame = makeFrame(url, { flex: '1' });
    panel.append(button, frame);
    dialog.append(panel);
    return { dialog, button, frame };
  };

  let current;

  /** A window above the page. @throws TypeError when the address is not of this server. */
  const open = (from, options = from) => {
    const url = urlOf(from);
    current?.close();
    const redirect = () => location.assign(url);
    if (!window.HTMLDialogElement?.prototype.showModal) {
      redirect();
      return { close() {} };
    }

    const { dialog, button, frame } = makeWindow(url);
    const { overflow } = document.documentElement.style;
    const remove = () => {
      dialog.remove();
      document.documentElement.style.overflow = overflow;
      if (current === opened) current = undefined;
    };
    const close = () => {
      if (!dialog.isConnected) return;
      // Before it leaves the page, so that the focus returns to where it was.
      dialog.close();
      remove();
      heard.ended();
    };
    const refused = () => {
      dialog.close();
      remove();
      redirect();
    };
    const heard = listen({
      ...{ frame, mode: 'modal', shop: options, close, refused },
      target: options.target ?? document,
    });
    frame.addEventListener('load', () => {
      if (document.activeElement === button) frame.focus();
    });
    button.addEventListener('click', close);
    dialog.addEventListener('close', close);

    const opened = { close };
    current = opened;
    document.body.append(dialog);
    document.documentElement.style.overflow = 'hidden';
    // The rest of the page is inert, and Escape closes.
    dialog.showModal();
    return opened;
  };

  /** In `place`, as high as its content. @throws TypeError as above. */
  const mount = (place, from, options = from) => {
    const url = urlOf(from);
    const before = [...place.childNodes];
    const frame = makeFrame(url, { display: 'block', height: '40rem' });
    const heard = listen({
      ...{ frame, mode: 'inline', shop: options, target: options.target ?? place },
      resize: (height) => {
        frame.style.height = `${height}px`;
      },
      refused: () => {
        const link = { href: url.href, target: '_blank', rel: 'noopener' };
        frame.replaceWith(make('a', { ...link, textContent: textsFor(url)[2] }));
      },
    });
    place.replaceChildren(frame);
    let isOver = false;
    return {
      close() {
        if (isOver) return;
        isOver = true;
        place.replaceChildren(...before);
        heard.ended();
      },
    };
  };

  /** `src` and `mode` as attributes; a link inside opens the window, and works without script. */
  class Checkout extends HTMLElement {
    static observedAttributes = ['src', 'mode'];
    #isIn = false;
    #opened;

    constructor() {
      super();
      this.addEventListener('click', (event) => {
        const link = event.target.closest('a[href], button');
        if (!link || event.defaultPrevented || this.getAttribute('mode') === 'inline') return;
        event.preventDefault();
        this.open(link.href);
      });
    }

    connectedCallback() {
      this.#isIn = true;
      if (this.getAttribute('mode') !== 'inline' || !this.hasAttribute('src')) return;
      this.#opened = mount(this, this.getAttribute('src'), {});
    }

    disconnectedCallback() {
      this.#isIn = false;
      this.close();
    }

    attributeChangedCallback() {
      // An element that was here before the script is told its attributes first.
      if (!this.#isIn) return;
      this.close();
      this.connectedCallback();
    }

    open(address) {
      this.#opened = open(this.getAttribute('src') ?? address, { target: this });
    }

    close() {
      this.#opened?.close();
    }
  }

  window.Quittance = Object.freeze({ open, mount });
  customElements.get('quittance-checkout') ?? customElements.define('quittance-checkout', Checkout);
})();
