// Simplified Chinese of what a payer sees beside the plain words of a page.
import type { SomeOf } from '#pages/languages/filled.ts';
import type { PayingTexts } from './en.ts';

export const zhHansPaying: SomeOf<PayingTexts> = {
  choose: {
    bank: '银行转账',
    recommended: '推荐',
    lastUsed: '上次使用',
    fits: '适合此设备',
    search: '搜索币种和网络',
    nothing: '没有匹配的结果。',
    fee: (amount) => `网络手续费约 ${amount}`,
    feeUnder: (amount) => `网络手续费低于 ${amount}`,
    feeFrom: (amount) => `网络手续费 ${amount} 起`,
    networks: (number) => `${number} 个网络`,
  },
  pay: {
    showCode: '显示二维码',
    enlarge: '放大二维码',
    close: '关闭',
    noWallet: '这里没有钱包？请用手机扫描二维码。',
    compare: '请在钱包中核对前四个和后四个字符。',
  },
  steps: {
    title: '您的付款进度',
    sent: '您已发送',
    seen: '网络已看到',
    confirmed: '已确认',
    told: '商店将收到通知',
    wasTold: '商店已收到通知',
    device: '在另一台设备上继续',
    deviceHint: '请用另一台设备扫描：它会打开此页面。',
    signal: '付款完成时响铃和振动',
    share: '分享收据',
    calendar: '添加到日历',
  },
  trust: {
    title: '这个地址对吗？',
    signed: '本系统已为该地址签名。请核对，最好在另一台设备上：',
    check: '核对地址',
    host: (host) => `只有浏览器地址栏显示 ${host} 时才付款。帮助您的人不会询问您钱包的助记词。`,
    domain: '已验证的域名',
    verified: '此地址由这里发出',
    verifiedHint: '请与钱包显示的地址逐字比对。',
    unsigned: '此地址不是这里发出的，或者有字符被改动。请不要向它发送任何款项。',
    key: '公钥（Ed25519）',
    place: '地址，或付款页面上的核对链接',
    memo: '备注或标签（如有）',
    signature: '签名',
    signatureHint: '签名就在该链接中。单凭地址说明不了什么：别人无法做出的是它的签名。',
  },
};
