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
  },
};
