// The button of /demo/embedded: what a shop would write in its own page.

(() => {
  const form = document.getElementById('pay-here');
  const result = document.getElementById('result');

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const headers = { accept: 'application/json' };
    const answer = await fetch(form.action, { method: 'POST', headers });
    const { path } = await answer.json();
    Quittance.open(new URL(path, location.href).href, {
      onState: ({ state }) => {
        result.textContent = `The checkout says: ${state}`;
      },
      onComplete: ({ checkoutId }) => {
        result.textContent = `Paid: ${checkoutId}`;
      },
      onClose: ({ state }) => {
        result.textContent = `Closed: ${state}`;
      },
    });
  });
})();
