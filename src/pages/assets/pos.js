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
    document.documentElement.dataset.rang = 'yes';
  };

  // The sale as it is now ------------------------------------------------------------------------
  const parsed = async (answer) =>
    new DOMParser().parseFromString(await answer.text(), 'text/html');

  const refresh = async () => {
    const answer = await fetch(location.href);
    if (!answer.ok || answer.redirected) return;
    const next = (await parsed(answer)).getElementById('sale');
    const before = document.getElementById('sale');
    if (!next || !before || next.dataset.saleState === before.dataset.saleState) return;
    before.replaceWith(document.adoptNode(next));
    if (next.dataset.saleState === 'COMPLETED') ring();
  };

  let events;
  const watch = () => {
    events?.close();
    const { watch: address } = document.getElementById('sale')?.dataset ?? {};
    if (address === undefined) return;
    events = new EventSource(address);
    const own = events;
    own.addEventListener('page', async (event) => {
      if (JSON.parse(event.data).isLast) own.close();
      await refresh();
    });
  };

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
