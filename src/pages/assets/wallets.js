// The place on the page where wallets have their buttons, whichever way a wallet is asked: the files
// beside this one, which travel with it, know that. page.js loads them only where a wallet is. What
// is sent is read from the payment link on the page and from nowhere else. Nothing is asked of a
// wallet before somebody has clicked on its name.

(() => {
  const main = document.getElementById('main');
  /** By name: `fits` says whether it can pay such a link, `pay` asks it to. */
  const wallets = new Map();
  /** What stands beneath the buttons, by payment link: the page around it is made anew at times. */
  const said = new Map();
  let isBusy = false;

  /** What may be told to the payer as it is. */
  class Refused extends Error {}
  const panelNow = () => document.getElementById('wallets');
  const fill = (text, parts) =>
    text.replace(/\{(\w+)\}/g, (whole, name) => (name in parts ? parts[name] : whole));

  const amountText = (units, { decimals, code }) => {
    const digits = units.toString().padStart(decimals + 1, '0');
    const whole = digits.slice(0, digits.length - decimals);
    const rest = digits.slice(digits.length - decimals).replace(/0+$/, '');
    return `${rest ? `${whole}.${rest}` : whole} ${code}`;
  };

  // The buttons -----------------------------------------------------------------------------------
  const factsOf = (panel) => JSON.parse(panel.dataset.facts);
  /** The price still holds, and this is still what is to be paid. */
  const isOpen = (link) => {
    const panel = panelNow();
    return Boolean(panel && !panel.closest('[hidden]') && factsOf(panel).link === link);
  };

  const tell = (key, parts = {}) => {
    const panel = panelNow();
    if (panel) say(factsOf(panel).link, fill(factsOf(panel).texts[key], parts));
  };

  const say = (link, text) => {
    said.set(link, text);
    show();
  };

  const act = async (wallet) => {
    const panel = panelNow();
    if (isBusy || !panel) return;
    const facts = factsOf(panel);
    const { link, texts } = facts;
    isBusy = true;
    show();
    try {
      const hash = await wallet.pay(facts, texts);
      remember(link, hash ?? '');
      say(link, texts.sent);
    } catch (error) {
      say(link, refusalText(error, texts));
    } finally {
      isBusy = false;
      show();
    }
  };

  /** EIP-1193: 4001 is "no" of the owner; -32002: a question waits in the wallet already. */
  const refusalText = (error, texts) => {
    if (error instanceof Refused) return error.message;
    if (error?.code === 4001 || /cancel|reject|denied/i.test(error?.message ?? '')) {
      return texts.refused;
    }
    if (error?.code === -32002) return texts.waiting;
    return texts.failed;
  };

  // Whoever comes back to the page is not invited to pay a second time without a word.
  const keyOf = (link) => `sent:${link}`;
  const remember = (link, hash) => {
    try {
      sessionStorage.setItem(keyOf(link), hash);
    } catch {
      // A browser without storage: what was said stands on the page.
    }
  };
  const wasSent = (link) => {
    try {
      return sessionStorage.getItem(keyOf(link)) !== null;
    } catch {
      return false;
    }
  };

  const walletsFor = ({ link }) => [...wallets.values()].filter(({ fits }) => fits(link));

  const buttonOf = (wallet, { link, texts }) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.id = `wallet-${wallet.id}`;
    button.className = wasSent(link) ? 'quiet' : 'button';
    const text = texts[wallet.text ?? 'with'];
    button.textContent = fill(wasSent(link) ? texts.again : text, { wallet: wallet.name });
    button.disabled = isBusy;
    button.addEventListener('click', () => act(wallet));
    return button;
  };

  const show = () => {
    const panel = panelNow();
    if (!panel) return;
    const facts = factsOf(panel);
    const able = walletsFor(facts);
    const text = said.get(facts.link) ?? (wasSent(facts.link) ? facts.texts.sent : '');
    const shown = JSON.stringify([facts.link, able.map(({ id }) => id), text, isBusy]);
    // Setting what is set already would be seen as a change, and again, without an end.
    if (panel.hidden !== (able.length === 0)) panel.hidden = !panel.hidden;
    if (panel.shown === shown && panel.hasChildNodes()) return;
    panel.shown = shown;
    const focused = panel.contains(document.activeElement) ? document.activeElement.id : '';
    const status = document.createElement('p');
    status.className = 'hint';
    status.id = 'wallet-status';
    status.setAttribute('role', 'status');
    status.textContent = text;
    panel.replaceChildren(...able.map((wallet) => buttonOf(wallet, facts)), status);
    if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
  };

  const add = (wallet) => {
    wallets.set(wallet.id, wallet);
    show();
  };

  new MutationObserver(show).observe(main, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['data-facts', 'hidden'],
  });
  window.quittanceWallets = { add, act, tell, fill, isOpen, amountText, Refused };
  show();
})();
