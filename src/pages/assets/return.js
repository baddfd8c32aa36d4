// Goes back to the shop by itself, but not for somebody who comes back from there.
(() => {
  const [entry] = performance.getEntriesByType('navigation');
  if (entry?.type !== 'back_forward') document.getElementById('back-to-shop')?.submit();
})();
