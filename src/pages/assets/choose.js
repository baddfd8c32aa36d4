// The list of ways to pay, in the order that helps on this device: what was used here last, then what
// this device can do, then as the server has it. And a search. Nothing of it is needed to choose.

(() => {
  const KEY = 'quittance.way';

  const remember = (way) => {
    try {
      localStorage.setItem(KEY, way);
    } catch {
      // A browser that keeps nothing.
    }
  };
  const lastWay = () => {
    try {
      return localStorage.getItem(KEY) ?? '';
    } catch {
      return '';
    }
  };

  /** The number of the chain that a wallet in this browser is on. It is not asked for anything else. */
  let walletChain;
  const isPhone = () => matchMedia('(pointer: coarse) and (max-width: 60rem)').matches;

  const facts = (row) => {
    const [key, network, asset] = row.dataset.way.split(' ');
    const [lastKey, lastNetwork, lastAsset] = lastWay().split(' ');
    const isLast = network ? network === lastNetwork && asset === lastAsset : key === lastKey;
    const isOfWallet = row.dataset.chains?.split(' ').includes(walletChain) ?? false;
    const fits = isOfWallet || (key === 'LIGHTNING' && isPhone());
    return { isLast, fits, score: (isLast ? 2 : 0) + (fits ? 1 : 0) };
  };

  const show = (row, name, isShown) => {
    const tag = row.querySelector(`[data-tag="${name}"]`);
    if (tag) tag.hidden = !isShown;
  };

  const arrange = () => {
    for (const list of document.querySelectorAll('[data-ways]')) {
      const rows = [...list.children].map((row) => ({ row, ...facts(row) }));
      for (const { row, isLast, fits } of rows) {
        show(row, 'last', isLast);
        show(row, 'fits', fits && !isLast && rows.length > 1);
      }
      const wanted = rows.toSorted((one, other) => other.score - one.score);
      if (wanted.every(({ row }, at) => row === list.children[at])) continue;
      const focused = document.activeElement;
      list.append(...wanted.map(({ row }) => row));
      if (list.contains(focused)) focused.focus({ preventScroll: true });
    }
    search();
  };

  const search = () => {
    const box = document.querySelector('[data-search]');
    if (!box) return;
    box.hidden = false;
    const words = box.querySelector('input').value.toLowerCase().split(/\s+/);
    let found = 0;
    for (const row of document.querySelectorAll('[data-ways] > li')) {
      const text = `${row.textContent} ${row.dataset.names}`.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
      if (!row.hidden) found += 1;
    }
    const banks = document.getElementById('banks');
    if (banks) banks.hidden = !document.querySelector('#banks ~ ul > li:not([hidden])');
    const note = box.querySelector('[data-nothing]');
    note.textContent = found === 0 ? note.dataset.nothing : '';
  };

  document.addEventListener('input', (event) => {
    if (event.target.closest('[data-search]')) search();
  });
  document.addEventListener('click', (event) => {
    const row = event.target.closest('[data-way]');
    if (!row) return;
    // Choosing a coin comes before choosing its network: the network chosen before is kept.
    if (row.dataset.way.includes(' ')) remember(row.dataset.way);
  });
  document.addEventListener('quittance:page', arrange);

  if (document.querySelector('[data-ways]')) {
    window.ethereum
      ?.request?.({ method: 'eth_chainId' })
      .then((chain) => {
        walletChain = String(Number(chain));
        arrange();
      })
      .catch(() => undefined);
  }
  arrange();
})();
