// A sound and a vibration when the open page becomes paid, for whoever asked for it here; the choice
// is kept on this device. And a button that shares the receipt. Nothing of it is needed to pay.

(() => {
  const KEY = 'quittance.signal';
  const main = document.getElementById('main');
  let state = main?.dataset.state;
  let audio;

  const isWanted = () => {
    try {
      return localStorage.getItem(KEY) === 'on';
    } catch {
      return false;
    }
  };
  const keep = (isOn) => {
    try {
      localStorage.setItem(KEY, isOn ? 'on' : 'off');
    } catch {
      // A browser that keeps nothing: it holds until the page is left.
    }
  };

  /** Browsers let a page sound only after it was touched. */
  const prepareSound = () => {
    if (!window.AudioContext) return;
    audio ??= new AudioContext();
    audio.resume();
  };

  const signal = () => {
    navigator.vibrate?.([120, 120, 120]);
    if (!audio) return;
    for (const [at, pitch] of [
      [0, 660],
      [0.14, 880],
    ]) {
      const tone = audio.createOscillator();
      const volume = audio.createGain();
      tone.frequency.value = pitch;
      volume.gain.value = 0.14;
      tone.connect(volume).connect(audio.destination);
      const time = audio.currentTime + at;
      tone.start(time);
      tone.stop(time + 0.14);
    }
  };

  const prepare = () => {
    const choice = document.getElementById('signal');
    if (choice && (window.AudioContext || navigator.vibrate)) {
      choice.hidden = false;
      choice.setAttribute('aria-pressed', String(isWanted()));
    }
    const share = document.getElementById('share');
    if (share && (navigator.share || navigator.clipboard)) share.hidden = false;
    const before = state;
    state = main?.dataset.state;
    if (state === 'paid' && before !== 'paid' && isWanted()) signal();
  };

  document.addEventListener('click', ({ target }) => {
    if (target.closest('#signal')) {
      keep(!isWanted());
      prepare();
    }
    if (isWanted()) prepareSound();
    const share = target.closest('#share');
    if (!share) return;
    const url = new URL(share.dataset.url, location);
    // Who closes the sheet of his device, or keeps his clipboard for himself, need not be told so.
    const shared = navigator.share
      ? navigator.share({ ...share.dataset, url })
      : navigator.clipboard.writeText(url).then(() => {
          share.nextElementSibling.textContent = share.dataset.done;
        });
    shared.catch(() => undefined);
  });
  document.addEventListener('quittance:page', prepare);
  prepare();
})();
