// The way to pay in the checkout block: a title, a description, and in test mode a notice in colour.
(() => {
  const { registerPaymentMethod } = window.wc.wcBlocksRegistry;
  const { createElement, Fragment } = window.wp.element;
  const { decodeEntities } = window.wp.htmlEntities;
  const data = window.wc.wcSettings.getSetting('quittance_data', {});
  const title = decodeEntities(data.title ?? 'Quittance');
  const notice = {
    background: '#fff3cd',
    color: '#664d03',
    border: '1px solid #ffda6a',
    borderRadius: '4px',
    padding: '8px 12px',
  };

  function Content() {
    const description = createElement('p', null, decodeEntities(data.description ?? ''));
    const test = data.test
      ? createElement('p', { className: 'quittance-test', style: notice }, data.test)
      : null;
    return createElement(Fragment, null, description, test);
  }

  registerPaymentMethod({
    name: 'quittance',
    label: createElement('span', null, title),
    ariaLabel: title,
    content: createElement(Content),
    edit: createElement(Content),
    canMakePayment: () => true,
    placeOrderButtonLabel: data.button,
    supports: { features: data.supports ?? ['products'] },
  });
})();
