// Extensions that are asked by messages of the page to itself, and answer the same way: each question
// has a number, and the answer names it (`messagedId`, as they write it).

(() => {
  /**
   * Undefined: it did not answer in so many milliseconds. `kind`: the word before `_MSG_REQUEST` in
   * what it hears.
   */
  const ask = (kind, message, ms) =>
    new Promise((resolve) => {
      const messageId = Date.now() + Math.random();
      const end = (answer) => {
        clearTimeout(late);
        removeEventListener('message', hear);
        resolve(answer);
      };
      const hear = ({ source, data }) => {
        if (source !== window || data?.source !== `${kind}_MSG_RESPONSE`) return;
        if (data.messagedId === messageId) end(data);
      };
      const late = setTimeout(end, ms);
      addEventListener('message', hear);
      window.postMessage({ source: `${kind}_MSG_REQUEST`, messageId, ...message }, location.origin);
    });

  const { Refused } = window.quittanceWallets;
  /** The same of a wallet that is there: it is locked, or busy with another question. */
  const askOpen = async (kind, message, ms, texts) => {
    const answer = await ask(kind, message, ms);
    if (answer === undefined) throw new Refused(texts.silent);
    return answer;
  };

  /** Extensions begin to hear when the page is loaded, or some time later. */
  const find = (kind, message, isThere, found) => {
    for (const ms of [0, 1000, 4000]) {
      setTimeout(async () => {
        const answer = await ask(kind, message, 2000);
        if (answer && isThere(answer)) found();
      }, ms);
    }
  };

  Object.assign(window.quittanceWallets, { askOpen, find });
})();
