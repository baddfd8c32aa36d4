// Makes a page that works by itself more comfortable: it changes when something happened, counts
// down, and copies. Nothing here is needed to pay.

(() => {
  const main = document.getElementById('main');
  const live = document.getElementById('live');
  const source = main?.dataset.source;
  const { nonce } = document.currentScript;

  // Copying -----------------------------------------------------------------------------------
  const showCopyButtons = (root) => {
    for (const button of root.querySelectorAll('[data-copy]')) button.hidden = false;
  };

  // Times in the zone of the reader, which is named ---------------------------------------------
  // Figures as the server writes them, also where a browser would take those of Arabic.
  const locale = `${document.documentElement.lang}-u-nu-latn`;
  const clock = { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' };
  const looks = { clock, moment: { ...clock, day: 'numeric', month: 'long', year: 'numeric' } };
  const showTimes = (root) => {
    for (const time of root.querySelectorAll('time[data-look]')) {
      const format = new Intl.DateTimeFormat(locale, looks[time.dataset.look]);
      time.textContent = format.format(new Date(time.dateTime));
    }
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
  const minutes = new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: 'minute',
    unitDisplay: 'long',
  });
  const announced = [10, 5, 1];
  let countdown;
  let ending;

  /** `since`: when the answer came that told how much is left. */
  const startCountdown = (leftMs, since = performance.now()) => {
    const left = leftMs ?? document.querySelector('[data-left]')?.dataset.left;
    clearTimeout(ending);
    countdown = left === undefined ? undefined : { ms: Number(left), since };
    if (!countdown) return;
    countdown.wall = Date.now() - (performance.now() - since);
    ending = setTimeout(showTimeLeft, Math.min(msLeft() + 1, 2 ** 31 - 1));
  };

  /** Clocks that stop in sleep, and clocks that are set: the one that is further on counts. */
  const msLeft = () => {
    const { ms, since, wall } = countdown;
    return Math.max(0, ms - Math.max(performance.now() - since, Date.now() - wall));
  };

  const timeText = (seconds) => {
    // A day or more is no countdown.
    if (seconds > 6000) return minutes.format(Math.floor(seconds / 60));
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  };

  const showTimeLeft = () => {
    const element = document.querySelector('[data-left]');
    if (!element || !countdown) return;
    const seconds = Math.ceil(msLeft() / 1000);
    const isEnd = seconds === 0;
    const text = isEnd
      ? element.dataset.over
      : element.dataset.template.replace('{time}', timeText(seconds));
    if (element.textContent !== text) {
      element.textContent = text;
      if (isEnd) say(text);
    }
    // Code, amount and wallet go at once, before the page without them is here.
    for (const open of document.querySelectorAll('[data-open]')) open.hidden = isEnd;
    element.classList.toggle('urgent', seconds <= 300);
    const bar = document.querySelector('[data-bar]');
    if (bar) bar.value = msLeft();
    if (announced.includes(seconds / 60)) {
      say(element.dataset.template.replace('{time}', minutes.format(seconds / 60)));
    }
  };

  // Changes: what stays is not touched, so that focus and selection stay where they are ----------
  const isSame = (node, wanted) =>
    node.nodeName === wanted.nodeName && (node.id ?? '') === (wanted.id ?? '');

  const change = (node, wanted) => {
    if (node.nodeType !== Node.ELEMENT_NODE) {
      if (node.data !== wanted.data) node.data = wanted.data;
      return;
    }
    for (const { name } of [...node.attributes]) {
      // Somebody opened it.
      const isKept = name === 'open' && node.nodeName === 'DETAILS';
      if (!isKept && !wanted.hasAttribute(name)) node.removeAttribute(name);
    }
    for (const { name, value } of wanted.attributes) {
      if (node.getAttribute(name) !== value) node.setAttribute(name, value);
    }
    // What another script put in stays: the server knows nothing of it.
    if (!wanted.hasAttribute('data-kept')) changeContent(node, wanted);
  };

  const changeContent = (node, wanted) => {
    let child = node.firstChild;
    for (const next of [...wanted.childNodes]) {
      let match = child;
      while (match && !isSame(match, next)) match = match.nextSibling;
      if (!match) {
        node.insertBefore(next, child);
        continue;
      }
      while (child !== match) {
        const gone = child;
        child = child.nextSibling;
        gone.remove();
      }
      child = match.nextSibling;
      change(match, next);
    }
    while (child) {
      const gone = child;
      child = child.nextSibling;
      gone.remove();
    }
  };

  // Wallets of the browser: their script comes only where one is ----------------------------------
  let hasWallet = Boolean(window.webln);
  const loadWallets = () => {
    const { script: path, ask: question } = document.getElementById('wallets')?.dataset ?? {};
    if (!path || document.getElementById('wallets-script')) return;
    // Some extensions say nothing until a message asks them.
    if (!hasWallet) return question && postMessage(JSON.parse(question), location.origin);
    const script = document.createElement('script');
    Object.assign(script, { id: 'wallets-script', src: path, nonce });
    document.head.append(script);
  };
  const foundWallet = () => {
    hasWallet = true;
    loadWallets();
  };
  // EIP-6963
  addEventListener('eip6963:announceProvider', foundWallet);
  dispatchEvent(new Event('eip6963:requestProvider'));
  addEventListener('message', ({ source: from, data }) => {
    if (from === window && /_MSG_RESPONSE$/.test(data?.source)) foundWallet();
  });
  // Extensions begin to hear when the page is loaded, or some time later.
  for (const ms of [0, 1000, 4000]) setTimeout(loadWallets, ms);

  let version = main?.dataset.version;
  let isOver = !source;
  let held;
  let holding;

  const isSelecting = () => {
    const selection = document.getSelection();
    return Boolean(selection && !selection.isCollapsed && main.contains(selection.anchorNode));
  };

  const changePanel = (markup) => {
    const panel = document.getElementById('sandbox');
    if (!panel || !markup) return;
    const hadFocus = panel.contains(document.activeElement);
    const wanted = document.createElement('div');
    wanted.innerHTML = markup;
    change(panel, wanted.firstElementChild);
    if (hadFocus && !panel.contains(document.activeElement)) panel.querySelector('button').focus();
  };

  const put = (answer) => {
    clearTimeout(holding);
    held = undefined;
    const focused = document.activeElement;
    const hadFocus = main.contains(focused);
    const wanted = document.createElement('main');
    wanted.innerHTML = answer.html;
    showCopyButtons(wanted);
    showTimes(wanted);
    changeContent(main, wanted);
    changePanel(answer.sandbox);
    loadWallets();
    main.dataset.state = answer.state;
    main.dataset.version = answer.version;
    startCountdown();
    showTimeLeft();
    startLeaving();
    // For the scripts beside this one.
    document.dispatchEvent(new Event('quittance:page'));
    // What had the focus is gone, or stands somewhere else now.
    if (hadFocus && !main.contains(document.activeElement)) {
      document.getElementById(focused.id || 'title')?.focus({ preventScroll: true });
      if (document.activeElement === document.body) document.getElementById('title')?.focus();
    }
  };

  const show = (answer) => {
    const before = (held ?? main.dataset).state;
    version = answer.version;
    isOver = answer.isLast;
    document.title = answer.title;
    if (answer.state !== before) say(answer.said);
    tellShop(answer.state);
    if (answer.state === main.dataset.state || !isSelecting()) return put(answer);
    // Who is copying an address by hand may finish; but nobody is left looking at a page that asks
    // for a payment which was seen.
    if (held === undefined) holding = setTimeout(() => put(held), 5000);
    held = answer;
  };

  document.addEventListener('selectionchange', () => {
    if (held && !isSelecting()) put(held);
  });

  // Hearing of them: by a stream, else by asking -------------------------------------------------
  const silentMs = 45_000;
  const hiddenMs = 60_000;
  let mode;
  let stream;
  let failures = 0;
  let heardAt = 0;
  /** Rises whenever the way of hearing changes: what belongs to an older one ends. */
  let turn = 0;
  let asked;
  let streamAgainMs = 30_000;

  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const jitter = (ms) => ms * (0.5 + Math.random());
  const withVersion = (path) =>
    `${path}${path.includes('?') ? '&' : '?'}version=${encodeURIComponent(version)}`;

  const stop = () => {
    turn += 1;
    mode = undefined;
    stream?.close();
    asked?.abort();
  };

  const listen = () => {
    stop();
    if (isOver) return;
    if (!window.EventSource) return ask();
    mode = 'stream';
    heardAt = Date.now();
    const opened = new EventSource(withVersion(source.replace(/\/state(?=$|\?)/, '/events')));
    stream = opened;
    const heard = () => {
      heardAt = Date.now();
      failures = 0;
      streamAgainMs = 30_000;
    };
    opened.addEventListener('page', ({ data }) => {
      heard();
      show(JSON.parse(data));
      if (isOver) stop();
    });
    opened.addEventListener('beat', ({ data }) => {
      heard();
      correctCountdown(JSON.parse(data));
    });
    opened.addEventListener('error', () => {
      failures += 1;
      if (failures > 1 || opened.readyState === EventSource.CLOSED) ask();
    });
  };

  const askOnce = async () => {
    asked = new AbortController();
    const late = setTimeout(() => asked.abort(), 40_000);
    try {
      const response = await fetch(withVersion(source), {
        cache: 'no-store',
        signal: asked.signal,
      });
      if (response.status === 404) return undefined;
      if (!response.ok) throw new Error(String(response.status));
      return await response.json();
    } finally {
      clearTimeout(late);
    }
  };

  const ask = async () => {
    stop();
    mode = 'ask';
    const mine = turn;
    const streamAt = Date.now() + jitter(streamAgainMs);
    streamAgainMs = Math.min(600_000, streamAgainMs * 2);
    for (let errors = 0; !isOver && turn === mine; ) {
      try {
        const answer = await askOnce();
        if (turn !== mine) return;
        if (answer === undefined) return stop();
        errors = 0;
        if (answer.html === undefined) correctCountdown(answer);
        else show(answer);
        await pause(answer.busy ? jitter(15_000) : 300);
        if (turn === mine && Date.now() > streamAt && window.EventSource) return listen();
      } catch {
        errors += 1;
        await pause(jitter(Math.min(30_000, 1000 * 2 ** errors)));
      }
    }
  };

  const correctCountdown = ({ leftMs }) => {
    if (leftMs === undefined) return;
    startCountdown(leftMs);
    showTimeLeft();
  };

  // After a sleep, a change of network, or a long time in the background.
  let tickedAt = Date.now();
  setInterval(() => {
    showTimeLeft();
    const now = Date.now();
    const hasSlept = Math.abs(now - tickedAt) > 10_000;
    tickedAt = now;
    const isSilent = mode === 'stream' && Math.abs(now - heardAt) > silentMs;
    if (!document.hidden && mode && (hasSlept || isSilent)) listen();
  }, 1000);

  let hiding;
  document.addEventListener('visibilitychange', () => {
    clearTimeout(hiding);
    // Clocks run slowly in the background: that is no sleep.
    tickedAt = Date.now();
    showTimeLeft();
    if (document.hidden) hiding = setTimeout(stop, hiddenMs);
    else if (!mode || (mode === 'stream' && Math.abs(Date.now() - heardAt) > 25_000)) listen();
  });
  addEventListener('online', listen);
  addEventListener('pagehide', stop);

  // In a frame of a shop: it is told what happens, when its origin is one that may be ------------
  const shops = JSON.parse(main?.dataset.shops ?? '[]').map((origin) =>
    origin === "'self'" ? location.origin : origin,
  );
  const isFramed = window.parent !== window;
  const root = document.documentElement;
  let shop;
  let isWindow = false;

  // Not in a frame of our own.
  try {
    window.parent.document;
  } catch {
    root.classList.add('framed');
  }

  const post = (message) => {
    if (shop) window.parent.postMessage({ quittance: 1, ...message }, shop);
  };

  const tellShop = (state) => post({ type: 'state', state, checkoutId: main.dataset.checkout });

  let toldHeight;
  const tellHeight = () => {
    const height = Math.ceil(root.getBoundingClientRect().height);
    if (!shop || height === toldHeight) return;
    toldHeight = height;
    post({ type: 'size', height });
  };

  addEventListener('message', ({ source: from, origin, data }) => {
    if (!isFramed || from !== window.parent || !shops.includes(origin)) return;
    if (data?.quittance !== 1 || data.type !== 'hello') return;
    shop = origin;
    isWindow = data.mode !== 'inline';
    root.classList.add('framed');
    tellShop(main.dataset.state);
    tellHeight();
    if (window.ResizeObserver) new ResizeObserver(tellHeight).observe(root);
  });

  document.addEventListener('keydown', ({ key }) => {
    // The first one closes what lies over the page.
    if (key !== 'Escape' || document.querySelector('dialog[open]')) return;
    if (isWindow) post({ type: 'close' });
  });

  // What stays in the frame: the payment itself, in each language and way to pay.
  const isPayment = ({ origin, pathname }) =>
    origin === location.origin && /^\/(?:[^/]+\/checkout|pay)\/[^/]+$/.test(pathname);

  document.addEventListener('click', (event) => {
    const link = event.target.closest?.('a[href]');
    if (!link || !root.classList.contains('framed') || link.target === '_blank') return;
    // Back to the shop, never inside its own frame.
    if (link.target === '_top') {
      if (!isWindow) return;
      event.preventDefault();
      post({ type: 'close' });
    } else if (!isPayment(link)) Object.assign(link, { target: '_blank', rel: 'noopener' });
  });

  // Back to the shop by itself after the payment, unless somebody wants to stay ------------------
  let leaving;
  const startLeaving = () => {
    const notice = document.querySelector('[data-leave]');
    // In a frame the page around it decides.
    if (!notice || leaving || window.top !== window) return;
    const line = notice.querySelector('[data-template]');
    const seconds = new Intl.NumberFormat(locale, {
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
    if (!event.persisted) return;
    showTimeLeft();
    if (isOver) location.reload();
    else listen();
  });

  // An order page of the demo shop has no source: it asks for itself.
  const again = document.querySelector('[data-reload]');
  if (again) setTimeout(() => location.reload(), Number(again.dataset.reload) * 1000);

  showCopyButtons(document);
  showTimes(document);
  // The server counted when it answered; reading the answer took time.
  const [answer] = performance.getEntriesByType?.('navigation') ?? [];
  startCountdown(undefined, answer?.responseStart || performance.now());
  showTimeLeft();
  startLeaving();
  listen();
})();
