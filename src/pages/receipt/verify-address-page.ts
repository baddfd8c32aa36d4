// Where to pay, held against the signature that came with it: a form for whoever has the link or
// its parts, and the answer.

import type { LanguageCode } from '#catalog/language.ts';
import { findNetwork, getNetwork, listNetworks } from '#catalog/network.ts';
import { groupedCode } from '#pages/checkout/copy-field.ts';
import type { SignedPlace } from '#pages/checkout/signed-address.ts';
import { type Html, html } from '#pages/html.ts';
import type { PageLanguage } from '#pages/languages/texts.ts';
import { pageHeader } from '#pages/page-header.ts';
import type { Page } from '#pages/send-page.ts';

const PATH = '/verify/address';

type SignedGiven = SignedPlace & { readonly signature: string };

/** Longer than any invoice of Lightning. */
const PART_MAX = 2_000;
/** A link that holds such an invoice. */
const LINK_MAX = 4_000;

/** As it was asked: its parts, or the whole link in the place of the address. Pure. */
export function readSignedPlace(query: URLSearchParams): SignedGiven {
  const typed = (query.get('address') ?? '').trim().slice(0, LINK_MAX);
  const link = URL.canParse(typed) ? new URL(typed) : undefined;
  const given = link?.pathname === PATH ? link.searchParams : query;
  const part = (name: string) => (given.get(name) ?? '').trim().slice(0, PART_MAX);
  return {
    ...{ network: part('network'), address: part('address') },
    ...{ memo: part('memo'), signature: part('signature') },
  };
}

export function verifyAddressFormPath(language: LanguageCode): string {
  return `${PATH}?${new URLSearchParams({ language })}`;
}

type VerifyAddressPage = {
  readonly language: PageLanguage;
  readonly shopName: string;
  readonly given: SignedGiven;
  /** Undefined: nothing was asked. */
  readonly isOurs: boolean | undefined;
  /** In base64url. */
  readonly publicKey: string;
  /** Where this page is, for whoever wonders where he is. */
  readonly host: string;
  /** That the merchant has proved to own; undefined: it is the installation's. */
  readonly domain: string | undefined;
};

/** What is not ours is not shown again: nobody should copy it from a page of ours. */
export function renderVerifyAddress(page: VerifyAddressPage): Page {
  const { language, isOurs, given, shopName } = page;
  const { trust } = language.texts.paying;
  const addressIn = (code: LanguageCode) =>
    isOurs
      ? `${PATH}?${new URLSearchParams({ ...given, language: code })}`
      : verifyAddressFormPath(code);
  const title = isOurs === undefined ? trust.title : isOurs ? trust.verified : trust.unsigned;
  return {
    language: language.code,
    title,
    body: html`<div class="page narrow">
${pageHeader(shopName, undefined, language, addressIn)}
<main id="main" data-state="verify-address">
${isOurs !== undefined && answerCard(page, isOurs)}
${formCard(page)}
</main>
<footer class="foot">${language.texts.page.poweredBy}</footer></div>`,
  };
}

function answerCard({ language, given, host, domain }: VerifyAddressPage, isOurs: boolean): Html {
  const { trust } = language.texts.paying;
  const { network, address, memo } = given;
  if (!isOurs) {
    return html`<section class="card" data-ours="false"><h1 id="title">${trust.title}</h1>
<p class="warning" role="alert">${trust.unsigned}</p></section>`;
  }
  return html`<section class="card" data-ours="true"><h1 id="title">${trust.verified}</h1>
<p>${findNetwork(network)?.name ?? network}</p>
<p class="hero code"><span class="value">${groupedCode(address)}</span></p>
${memo !== '' && html`<p><code>${memo}</code></p>`}
<p class="hint">${trust.verifiedHint}</p>
${domain !== undefined && html`<p class="hint">${trust.domain}: <bdi>${domain}</bdi></p>`}
<p class="hint">${trust.host(host)}</p></section>`;
}

function formCard({ language, given, isOurs, publicKey }: VerifyAddressPage): Html {
  const { texts, code } = language;
  const { trust } = texts.paying;
  const networks = listNetworks().filter(({ type }) => type !== 'BANK');
  const heading = isOurs === undefined ? html`<h1 id="title">${trust.title}</h1>` : undefined;
  return html`<section class="card">${heading}
<form method="get" action="${PATH}" class="claim">
<input type="hidden" name="language" value="${code}">
${field('address', trust.place)}
<label class="label" for="network">${texts.paper.network}</label>
<select id="network" name="network">${networks.map(
    ({ id }) =>
      html`<option value="${id}"${id === given.network && html` selected`}>${getNetwork(id).name}</option>`,
  )}</select>
${field('memo', trust.memo)}
${field('signature', trust.signature, html` aria-describedby="signature-hint"`)}
<p class="hint" id="signature-hint">${trust.signatureHint}</p>
<button class="button" id="check">${trust.check}</button></form>
<p class="hint">${trust.key}: <code>${publicKey}</code></p></section>`;
}

function field(name: string, label: string, more?: Html): Html {
  return html`<label class="label" for="${name}">${label}</label>
<input id="${name}" name="${name}" maxlength="${LINK_MAX}" autocomplete="off" autocapitalize="none"
 spellcheck="false"${more}${name === 'address' && html` required`}>`;
}
