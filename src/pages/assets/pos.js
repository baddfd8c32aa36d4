// The point of sale, more comfortable: a keypad, items that are tapped, a sale that turns to "paid"
// by itself with a sound, and full screen that stays. Nothing here is needed to sell.

(() => {
  const showComforts = () => {
    for (const one of document.querySelectorAll('[data-needs=script]')) one.hidden = false;
  };

  // Keys and items --------------------------------------------------------------------------------
  document.addEventListener('click', (event) => {
    const { key } = event.target.closest('[data-key]')?.dataset ?? {};
    const { plus } = event.target.closest('[data-plus]')?.dataset ?? {};
    const amount = document.getElementById('amount');
    if (key === 'erase') amount.value = amount.value.slice(0, -1);
    else if (key !== undefined) amount.value += key;
    if (plus !== undefined) {
      const count = document.getElementById(plus);
      count.value = String((Number.parseInt(count.value, 10) || 0) + 1);
    }
    if (event.target.closest('[data-fullscreen]')) document.documentElement.requestFullscreen();
  });

  // A sound without a file: two notes ------------------------------------------------------------
  let audio;
  const listen = () => {
    audio ??= new AudioContext();
    if (audio.state === 'suspended') audio.resume();
  };
  document.addEventListener('pointerdown', listen);
  document.addEventListener('keydown', listen);

  const ring = () => {
    audio ??= new AudioContext();
    [660, 880].forEach((frequency, index) => {
      const start = audio.currentTime + index * 0.16;
      const note = audio.createOscillator();
      const loudness = audio.createGain();
      note.frequency.value = frequency;
      loudness.gain.setValueAtTime(0.25, start);
      loudness.gain.exponentialRampToValueAtTime(0.001, start + 0.3);
      note.connect(loudness).connect(audio.destination);
      note.start(start);
      note.stop(start + 0.3);
    });
  };

  // The sale as it is now ------------------------------------------------------------------------
  const parsed = async (answer) =>
    new DOMParser().parseFromString(await answer.text(), 'text/html');

  /** What was said is changed, not put there anew: a screen reader tells of the change. */
  const showSale = (shown, next) => {
    const said = shown.querySelector('[role=status]');
    const words = next.querySelector('[role=status]');
    said.textContent = words.textContent;
    said.dataset.checkoutState = words.dataset.checkoutState;
    while (said.nextSibling) said.nextSibling.remove();
    while (words.nextSibling) shown.append(document.adoptNode(words.nextSibling));
    shown.dataset.saleState = next.dataset.saleState;
    if (next.dataset.watch === undefined) delete shown.dataset.watch;
  };

  const refresh = async () => {
    const shown = document.getElementById('sale');
    const answer = await fetch(location.href);
    // The session has ended: the page itself says so.
    if (answer.redirected) return location.reload();
    if (!answer.ok) return;
    const next = (await parsed(answer)).getElementById('sale');
    if (!next || !shown.isConnected || next.dataset.saleState === shown.dataset.saleState) return;
    showSale(shown, next);
    if (next.dataset.saleState === 'COMPLETED') ring();
  };

  let events;
  const watch = () => {
    events?.close();
    const { watch: address } = document.getElementById('sale')?.dataset ?? {};
    if (address === undefined) return;
    const own = new EventSource(address);
    events = own;
    own.addEventListener('page', (event) => {
      if (JSON.parse(event.data).isLast) own.close();
      refresh().catch(() => undefined);
    });
  };

  // A stream may be refused, or be silent after a sleep of the device: then asking is enough.
  setInterval(() => {
    if (document.hidden || !document.querySelector('[data-watch]')) return;
    refresh().catch(() => undefined);
    if (events.readyState === EventSource.CLOSED) watch();
  }, 10_000);

  // Full screen ends where a page is left: while it lasts, pages are put in place of each other -----
  const go = async (address, init) => {
    const answer = await fetch(address, init);
    const main = (await parsed(answer)).getElementById('main');
    if (!main || !new URL(answer.url).pathname.includes('/pos')) {
      location.href = answer.url;
      return;
    }
    document.getElementById('main').replaceWith(document.adoptNode(main));
    history.replaceState(null, '', answer.url);
    scrollTo(0, 0);
    showComforts();
    watch();
  };

  document.addEventListener('submit', (event) => {
    if (!document.fullscreenElement || event.target.method !== 'post') return;
    event.preventDefault();
    const body = new URLSearchParams(new FormData(event.target, event.submitter));
    go(event.target.action, { method: 'POST', body });
  });
  document.addEventListener('click', (event) => {
    const next = event.target.closest('#next');
    if (!next || !document.fullscreenElement) return;
    event.preventDefault();
    go(next.href);
  });

  showComforts();
  watch();
})();
