// Vendure over its GraphQL APIs, and what a merchant sets up in it.

/** Vendure keeps two digits whatever the currency. */
export const prices = [
  { currencyCode: 'EUR', price: 1990, total: '39.8' },
  { currencyCode: 'JPY', price: 199000, total: '3980' },
  { currencyCode: 'BHD', price: 123, total: '2.46' },
];

/** A caller of one GraphQL API that keeps its session. */
export function caller(origin, api) {
  let token;
  return async (query, variables = {}, { currency } = {}) => {
    const search = currency === undefined ? '' : `?currencyCode=${currency}`;
    const answer = await fetch(`${origin}/${api}${search}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({ query, variables }),
    });
    token = answer.headers.get('vendure-auth-token') ?? token;
    const { data, errors } = await answer.json();
    if (errors !== undefined) throw new Error(`${query}: ${JSON.stringify(errors)}`);
    const [result] = Object.values(data);
    if (result?.errorCode !== undefined) throw new Error(`${query}: ${JSON.stringify(result)}`);
    return result;
  };
}

export async function logIn(origin, { SHOP_ADMIN: name, SHOP_ADMIN_PASSWORD: password }) {
  const asAdmin = caller(origin, 'admin-api');
  await asAdmin(
    `mutation ($name: String!, $password: String!) {
      login(username: $name, password: $password) { ... on CurrentUser { id } ${FAULT} }
    }`,
    { name, password },
  );
  return asAdmin;
}

export const FAULT = '... on ErrorResult { errorCode message }';

export async function openShop(asAdmin) {
  const { id: channelId } = await asAdmin('{ activeChannel { id } }');
  await asAdmin(
    `mutation ($input: UpdateChannelInput!) {
      updateChannel(input: $input) { ... on Channel { id } ${FAULT} }
    }`,
    {
      input: {
        id: channelId,
        availableCurrencyCodes: prices.map(({ currencyCode }) => currencyCode),
        defaultCurrencyCode: 'EUR',
      },
    },
  );
  const name = 'A good book';
  const product = await asAdmin(
    'mutation ($input: CreateProductInput!) { createProduct(input: $input) { id } }',
    { input: { translations: [{ languageCode: 'en', name, slug: 'book', description: name }] } },
  );
  const [variant] = await asAdmin(
    `mutation ($input: [CreateProductVariantInput!]!) {
      createProductVariants(input: $input) { id }
    }`,
    {
      input: [
        {
          productId: product.id,
          sku: 'book',
          trackInventory: 'FALSE',
          price: prices[0].price,
          translations: [{ languageCode: 'en', name }],
        },
      ],
    },
  );
  await asAdmin(
    `mutation ($input: [UpdateProductVariantInput!]!) {
      updateProductVariants(input: $input) { id }
    }`,
    {
      input: [
        {
          id: variant.id,
          prices: prices.map(({ currencyCode, price }) => ({ currencyCode, price })),
        },
      ],
    },
  );
  return variant.id;
}
