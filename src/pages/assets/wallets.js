// Pays from a wallet that lives in the browser: one that announces itself on EVM chains (EIP-6963,
// EIP-1193), or WebLN on Lightning. page.js loads it only where such a wallet is. What is sent is
// read from the payment link on the page and from nowhere else. Nothing is asked of a wallet before
// somebody has clicked on its name.

(() => {
  const main = document.getElementById('main');
  const announced = new Map();
  /** What stands beneath the buttons, by payment link: the page around it is made anew at times. */
  const said = new Map();
  let isBusy = false;

  const panelNow = () => document.getElementById('wallets');
  const fill = (text, parts) =>
    text.replace(/\{(\w+)\}/g, (whole, name) => (name in parts ? parts[name] : whole));

  // The order ---------------------------------------------------------------------------------
  /** EIP-681, as our server writes it: a coin, or the function `transfer` of a token. */
  const LINK =
    /^ethereum:(0x[0-9a-fA-F]{40})@(\d+)(?:\?value=(\d+)|\/transfer\?address=(0x[0-9a-fA-F]{40})&uint256=(\d+))$/;

  const orderOf = (link) => {
    const [, target, chain, value, receiver, tokenUnits] = LINK.exec(link) ?? [];
    if (!target) return undefined;
    const units = BigInt(value ?? tokenUnits);
    const chainId = hex(BigInt(chain));
    if (!receiver) return { chainId, units, call: { to: target, value: hex(units) } };
    // ERC-20: transfer(address,uint256).
    const data = `0xa9059cbb${word(receiver.slice(2).toLowerCase())}${word(units.toString(16))}`;
    return { chainId, units, token: target, call: { to: target, value: '0x0', data } };
  };

  const hex = (number) => `0x${number.toString(16)}`;
  const word = (digits) => digits.padStart(64, '0');

  const amountText = (units, { decimals, code }) => {
    const digits = units.toString().padStart(decimals + 1, '0');
    const whole = digits.slice(0, digits.length - decimals);
    const rest = digits.slice(digits.length - decimals).replace(/0+$/, '');
    return `${rest ? `${whole}.${rest}` : whole} ${code}`;
  };

  // A wallet on an EVM chain --------------------------------------------------------------------
  class Refused extends Error {}
  const isUnknownChain = (error) =>
    [error?.code, error?.data?.originalError?.code].includes(4902) ||
    /unrecognized chain/i.test(error?.message ?? '');
  const isUnsupported = ({ code } = {}) => code === 4200 || code === -32601;

  const useChain = async (request, chainId, facts, texts) => {
    if (BigInt(await request('eth_chainId')) === BigInt(chainId)) return;
    tell('switching', { network: facts.network });
    try {
      await request('wallet_switchEthereumChain', [{ chainId }]);
    } catch (error) {
      if (!isUnknownChain(error)) throw error;
      if (!facts.chain) throw new Refused(fill(texts.missing, { network: facts.network }));
      // EIP-3085: the wallet shows it, and its owner decides.
      await request('wallet_addEthereumChain', [{ chainId, ...facts.chain }]);
      await request('wallet_switchEthereumChain', [{ chainId }]);
    }
    // Some wallets answer before they have changed, and some do not change at all.
    if (BigInt(await request('eth_chainId')) !== BigInt(chainId)) {
      throw new Refused(fill(texts.missing, { network: facts.network }));
    }
  };

  /** Undefined: the wallet does not say. It will find out by itself then. */
  const heldUnits = async (request, from, { token }) => {
    try {
      if (!token) return BigInt(await request('eth_getBalance', [from, 'latest']));
      // ERC-20: balanceOf(address).
      const data = `0x70a08231${word(from.slice(2).toLowerCase())}`;
      return BigInt(await request('eth_call', [{ to: token, data }, 'latest']));
    } catch {
      return undefined;
    }
  };

  /** EIP-5792 is for wallets that take no single transaction: accounts that are contracts. */
  const send = async (request, from, { chainId, call }) => {
    try {
      return await request('eth_sendTransaction', [{ from, chainId, ...call }]);
    } catch (error) {
      if (!isUnsupported(error)) throw error;
    }
    const calls = { version: '2.0.0', from, chainId, atomicRequired: true, calls: [call] };
    await request('wallet_sendCalls', [calls]);
    return undefined;
  };

  const payByProvider = async ({ provider, name }, facts, texts) => {
    const order = orderOf(facts.link);
    if (!order) throw new Refused(texts.failed);
    const request = (method, params = []) => provider.request({ method, params });
    tell('asking', { wallet: name });
    const [from] = await request('eth_requestAccounts');
    if (!from) throw new Refused(texts.refused);
    await useChain(request, order.chainId, facts, texts);
    const held = await heldUnits(request, from, order);
    if (held !== undefined && held < order.units) {
      const account = `${from.slice(0, 6)}…${from.slice(-4)}`;
      const amounts = { held: amountText(held, facts), needed: amountText(order.units, facts) };
      throw new Refused(fill(texts.poor, { account, ...amounts }));
    }
    if (!isOpen(facts.link)) throw new Refused(texts.over);
    tell('asking', { wallet: name });
    return send(request, from, order);
  };

  // WebLN ---------------------------------------------------------------------------------------
  const payByWebln = async (_wallet, facts, texts) => {
    tell('asking', { wallet: 'WebLN' });
    await window.webln.enable();
    if (!isOpen(facts.link)) throw new Refused(texts.over);
    await window.webln.sendPayment(facts.link.replace(/^lightning:/i, ''));
    return undefined;
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
      const pay = wallet.provider ? payByProvider : payByWebln;
      const hash = await pay(wallet, facts, texts);
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

  const walletsFor = ({ link }) => {
    if (!link.startsWith('ethereum:')) return window.webln ? [{ id: 'webln', name: 'WebLN' }] : [];
    return orderOf(link) ? [...announced.values()] : [];
  };

  const buttonOf = (wallet, { link, texts }) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.id = `wallet-${wallet.id}`;
    button.className = wasSent(link) ? 'quiet' : 'button';
    const text = wallet.provider ? texts.with : texts.browser;
    button.textContent = fill(wasSent(link) ? texts.again : text, { wallet: wallet.name });
    button.disabled = isBusy;
    button.addEventListener('click', () => act(wallet));
    return button;
  };

  const show = () => {
    const panel = panelNow();
    if (!panel) return;
    const facts = factsOf(panel);
    const wallets = walletsFor(facts);
    const text = said.get(facts.link) ?? (wasSent(facts.link) ? facts.texts.sent : '');
    const shown = JSON.stringify([facts.link, wallets.map(({ id }) => id), text, isBusy]);
    panel.hidden = wallets.length === 0;
    if (panel.shown === shown && panel.hasChildNodes()) return;
    panel.shown = shown;
    const focused = panel.contains(document.activeElement) ? document.activeElement.id : '';
    const status = document.createElement('p');
    status.className = 'hint';
    status.id = 'wallet-status';
    status.setAttribute('role', 'status');
    status.textContent = text;
    panel.replaceChildren(...wallets.map((wallet) => buttonOf(wallet, facts)), status);
    if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
  };

  window.addEventListener('eip6963:announceProvider', ({ detail }) => {
    const { uuid, name } = detail?.info ?? {};
    if (typeof uuid !== 'string' || typeof name !== 'string' || !detail.provider) return;
    // A name is a text of a stranger: short, and shown as text alone.
    announced.set(uuid, { id: uuid, name: name.trim().slice(0, 40), provider: detail.provider });
    show();
  });
  new MutationObserver(show).observe(main, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['data-facts', 'hidden'],
  });
  window.dispatchEvent(new Event('eip6963:requestProvider'));
  show();
})();
