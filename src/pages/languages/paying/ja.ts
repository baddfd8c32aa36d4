// Japanese of what a payer sees beside the plain words of a page.
import type { SomeOf } from '#pages/languages/filled.ts';
import type { PayingTexts } from './en.ts';

export const jaPaying: SomeOf<PayingTexts> = {
  choose: {
    bank: '銀行振込',
    recommended: 'おすすめ',
    lastUsed: '前回使用',
    fits: 'この端末に最適',
    search: '通貨とネットワークを検索',
    nothing: '該当するものがありません。',
    fee: (amount) => `ネットワーク手数料 約 ${amount}`,
    feeUnder: (amount) => `ネットワーク手数料 ${amount} 未満`,
    feeFrom: (amount) => `ネットワーク手数料 ${amount} から`,
    networks: (number) => `${number} ネットワーク`,
  },
  pay: {
    showCode: 'コードを表示',
    enlarge: 'コードを拡大',
    close: '閉じる',
    noWallet: 'この端末にウォレットがない場合は、スマートフォンでコードを読み取ってください。',
    compare: 'ウォレットで最初の 4 文字と最後の 4 文字を照合してください。',
  },
  steps: {
    title: 'お支払いの進み具合',
    sent: '送金しました',
    seen: 'ネットワークが確認しました',
    confirmed: '承認済み',
    told: 'ショップに通知されます',
    wasTold: 'ショップに通知済み',
    device: '別の端末で続ける',
    deviceHint: '別の端末で読み取ると、このページが開きます。',
    signal: '支払い完了時に音と振動',
    share: '領収書を共有',
    calendar: 'カレンダーに追加',
  },
  trust: {
    title: 'このアドレスは正しいですか？',
    signed: 'このシステムがアドレスに署名しています。できれば別の端末で確認してください：',
    check: 'アドレスを確認する',
    host: (host) =>
      `ブラウザのアドレスバーに ${host} と表示されているときだけお支払いください。サポートの者がウォレットの単語を尋ねることはありません。`,
    domain: '確認済みドメイン',
    verified: 'このアドレスはここで発行されました',
    verifiedHint: 'ウォレットに表示されるものと一文字ずつ比べてください。',
    unsigned:
      'このアドレスはここで発行されていないか、文字が変えられています。何も送らないでください。',
    key: '公開鍵（Ed25519）',
    place: 'アドレス、または支払いページにある確認用リンク',
    memo: 'メモまたはタグ（ある場合）',
    signature: '署名',
    signatureHint:
      '署名はそのリンクに含まれています。アドレスだけでは何も分かりません。ほかの誰にも作れないのは、その署名です。',
  },
};
