// Makes a page that works by itself more comfortable: it changes when something happened, counts
// down, and copies. Nothing here is needed to pay.

(() => {
  const main = document.getElementById('main');
  const live = document.getElementById('live');
  const source = main?.dataset.source;

  // Copying -----------------------------------------------------------------------------------
  const showCopyButtons = () => {
    for (const button of document.querySelectorAll('[data-copy]')) button.hidden = false;
  };

  const copyText = async (text) => {
    // Without https there is no clipboard: the old way still works there.
    if (navigator.clipboard) return navigator.clipboard.writeText(text);
    const field = document.createElement('textarea');
    field.value = text;
    document.body.append(field);
    field.select();
    document.execCommand('copy');
    field.remove();
  };

  document.addEventListener('click', async (event) => {
    const button = event.target.closest('[data-copy]');
    if (!button) return;
    await copyText(button.dataset.copy);
    button.focus();
    const text = button.dataset.text ?? button.textContent;
    button.dataset.text = text;
    button.textContent = button.dataset.done;
    say(button.dataset.done);
    clearTimeout(button.timer);
    button.timer = setTimeout(() => {
      button.textContent = text;
    }, 2000);
  });

  const say = (text) => {
    if (live) live.textContent = text;
  };

  // Arrow keys in the list of choices -----------------------------------------------------------
  document.addEventListener('keydown', (event) => {
    const list = event.target.closest?.('[data-arrows]');
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!list || !step) return;
    const choices = [...list.querySelectorAll('.choice')];
    const next = choices[choices.indexOf(document.activeElement) + step];
    if (!next) return;
    event.preventDefault();
    next.focus();
  });

  // Time left: measured from when the page came, so that a wrong clock does not matter -----------
  const language = document.documentElement.lang;
  const minutes = new Intl.NumberFormat(language, {
    style: 'unit',
    unit: 'minute',
    unitDisplay: 'long',
  });
  const announced = [10, 5, 1];
  let endsAt;

  const startCountdown = (seconds) => {
    const left = seconds ?? document.querySelector('[data-left]')?.dataset.left;
    endsAt = left === undefined ? undefined : performance.now() + Number(left) * 1000;
  };

  const timeText = (seconds) => {
    if (seconds > 300) return minutes.format(Math.floor(seconds / 60));
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  };

  setInterval(() => {
    const element = document.querySelector('[data-left]');
    if (!element || endsAt === undefined) return;
    const seconds = Math.max(0, Math.round((endsAt - performance.now()) / 1000));
    if (seconds === 0) return;
    const text = element.dataset.template.replace('{time}', timeText(seconds));
    if (element.textContent !== text) element.textContent = text;
    element.classList.toggle('urgent', seconds <= 300);
    if (announced.includes(seconds / 60)) {
      say(element.dataset.template.replace('{time}', minutes.format(seconds / 60)));
    }
  }, 1000);

  // Changes -------------------------------------------------------------------------------------
  const show = (answer) => {
    const focused = document.activeElement?.id;
    const isOther = answer.state !== main.dataset.state;
    const text = document.getSelection()?.isCollapsed === false && !isOther;
    // Somebody is selecting an address: what changed within the same state can wait.
    if (text) return false;
    main.innerHTML = answer.html;
    main.dataset.state = answer.state;
    main.dataset.version = answer.version;
    document.title = answer.title;
    showCopyButtons();
    startCountdown();
    startLeaving();
    if (isOther) {
      say(answer.said);
      if (focused) document.getElementById('title')?.focus();
    } else if (focused) {
      document.getElementById(focused)?.focus();
    }
    return true;
  };

  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

  const ask = async () => {
    const separator = source.includes('?') ? '&' : '?';
    const response = await fetch(`${source}${separator}version=${main.dataset.version}`, {
      cache: 'no-store',
      signal: AbortSignal.timeout(40_000),
    });
    if (response.status === 404) return undefined;
    if (!response.ok) throw new Error(String(response.status));
    return response.json();
  };

  const watch = async () => {
    let failures = 0;
    while (!['paid', 'cancelled'].includes(main.dataset.state)) {
      if (document.hidden) {
        await new Promise((resolve) =>
          document.addEventListener('visibilitychange', resolve, { once: true }),
        );
      }
      try {
        const answer = await ask();
        if (answer === undefined) return;
        failures = 0;
        if (answer.html !== undefined && !show(answer)) await pause(3000);
        if (answer.secondsLeft !== undefined) startCountdown(answer.secondsLeft);
        await pause(answer.busy ? 15_000 : 300);
      } catch {
        failures += 1;
        await pause(Math.min(30_000, 1000 * 2 ** failures) * (0.5 + Math.random()));
      }
    }
  };

  // Back to the shop by itself after the payment, unless somebody wants to stay ------------------
  let leaving;
  const startLeaving = () => {
    const notice = document.querySelector('[data-leave]');
    // In a frame the page around it decides.
    if (!notice || leaving || window.top !== window) return;
    const line = notice.querySelector('[data-template]');
    const seconds = new Intl.NumberFormat(language, {
      style: 'unit',
      unit: 'second',
      unitDisplay: 'long',
    });
    const leavesAt = performance.now() + Number(notice.dataset.leave) * 1000;
    const step = () => {
      const left = Math.max(0, Math.ceil((leavesAt - performance.now()) / 1000));
      line.textContent = line.dataset.template.replace('{time}', seconds.format(left));
      if (left > 0) return;
      clearInterval(leaving);
      document.getElementById('return').click();
    };
    leaving = setInterval(step, 1000);
    notice.hidden = false;
    step();
    document.getElementById('stay').addEventListener('click', () => {
      clearInterval(leaving);
      notice.hidden = true;
      document.getElementById('return').focus();
    });
  };

  // A page from the history of the browser may be old.
  addEventListener('pageshow', (event) => {
    if (event.persisted) location.reload();
  });

  // An order page of the demo shop has no source: it asks for itself.
  const again = document.querySelector('[data-reload]');
  if (again) setTimeout(() => location.reload(), Number(again.dataset.reload) * 1000);

  showCopyButtons();
  startCountdown();
  startLeaving();
  if (source) watch();
})();
