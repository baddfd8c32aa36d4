import type { SomeOf } from '#pages/languages/filled.ts';
import type { CustomerLetterTexts, VerifyTexts } from './en.ts';

export const zhHansLetters: SomeOf<CustomerLetterTexts> = {
  test: '测试',
  testHint: '这是一次测试：没有涉及真实资金。',
  reference: (id) => `付款编号：${id}`,
  contact: (contact) => `有疑问？请联系商店：${contact}`,
  why: (shop) => `您收到此邮件，是因为您向 ${shop} 付款，且该商店有您的邮箱地址。`,
  whyAsked: (shop) => `您收到此邮件，是因为有人在向 ${shop} 付款的页面上填写了您的地址。`,
  leave: '不再接收有关向该商店付款的邮件',
  seen: {
    subject: (shop) => `已看到您向 ${shop} 的付款`,
    title: '已看到您的付款',
    body: (amount) => `${amount} 已在途中。网络正在确认；您无需做任何事。`,
    button: '查看状态',
  },
  paid: {
    subject: (shop) => `您向 ${shop} 的付款已完成`,
    title: '已付款，谢谢！',
    body: (shop, total) => `${shop} 已收到您的付款 ${total}。`,
    button: '打开收据',
  },
  underpaid: {
    subject: (shop) => `您向 ${shop} 的付款还差一部分`,
    title: '还差一部分',
    body: (received, remaining) => `已到账 ${received}，尚缺 ${remaining}。`,
    todo: '页面上会说明余额现在的价格以及如何支付。不想支付？请向商店申请退款，并告知付款编号。',
    button: '支付余额',
  },
  expired: {
    subject: (shop) => `向 ${shop} 付款的时间已过`,
    title: '付款时间已过',
    body: '没有收取任何费用。请不要再按旧价格发送任何款项。',
    todo: '仍想付款？页面会给您新的价格。已经发送？到账的款项仍会入账：请保留付款编号。',
    money: {
      body: '收到的款项不能算作此次付款：可能是另一种币，或是网络尚未确认的转账。',
      todo: '款项没有丢失。网络之后确认的部分仍会入账。如果是另一种币，请联系商店并告知付款编号。页面上会显示已看到的内容。',
    },
    button: '打开页面',
  },
  claim: {
    subject: (shop) => `来自 ${shop} 的退款等待您领取`,
    title: '有一笔退款等待您领取',
    body: (shop, amount) => `${shop} 退还您 ${amount}。页面会询问收款地址。`,
    until: (moment) => `有效期至 ${moment}。请勿将链接转给任何人：持有者可决定款项的去向。`,
    button: '填写收款地址',
  },
  sent: {
    subject: (shop) => `来自 ${shop} 的退款已发送`,
    title: '您的退款已发送',
    body: (amount, address) => `${amount} 已发送到 ${address}。`,
    transaction: (transaction) => `交易：${transaction}`,
    button: '查看付款',
  },
  bill: {
    sent: {
      subject: (shop, name) => `来自 ${shop} 的账单 ${name}`,
      title: '您的账单',
      body: (shop, total) => `${shop} 向您发送了一张 ${total} 的账单。`,
      due: (day) => `请于 ${day} 前付款。`,
    },
    soon: {
      subject: (shop, name) => `提醒：来自 ${shop} 的账单 ${name}`,
      title: '您的账单即将到期',
      body: (total, day) => `您的 ${total} 账单将于 ${day} 到期。`,
    },
    today: {
      subject: (shop, name) => `来自 ${shop} 的账单 ${name} 今天到期`,
      title: '您的账单今天到期',
      body: (total, day) => `您的 ${total} 账单于今天（${day}）到期。`,
    },
    overdue: {
      subject: (shop, name) => `来自 ${shop} 的账单 ${name} 已逾期`,
      title: '您的账单已逾期',
      body: (total, day) => `您的 ${total} 账单已于 ${day} 到期。我们尚未看到付款。`,
    },
    hint: '页面会显示账单，并可按当时的价格付款。已经付款？那您无需做任何事。',
    number: (name) => `账单编号：${name}`,
    button: '查看并支付账单',
  },
  page: {
    title: (shop) => `有关向 ${shop} 付款的邮件`,
    gets: '您会收到有关向该商店付款的邮件。',
    leave: '不再接收邮件',
    left: '您不会再收到有关向该商店付款的邮件。',
    again: '重新接收邮件',
  },
};

export const zhHansVerify: SomeOf<VerifyTexts> = {
  title: '核验收据或账单',
  hint: '请输入收据或账单上的代码。您会看到我们账簿的记录，但看不到任何买家信息。',
  code: '核验代码',
  at: '核验网址',
  check: '核验',
  unknown: '我们没有任何收据或账单带有此代码。请逐字核对。',
  compare: '请与您手中的文件对照。以此处内容为准。',
  issuer: '开具方',
  states: {
    paid: '已付款',
    partial: '已部分付款',
    open: '没有对应的已确认付款',
    reversed: '曾经付款，但网络撤销了该付款',
    refunded: '曾经付款，款项已退还',
    partlyRefunded: '曾经付款，部分款项已退还',
    cancelled: '此账单已作废',
    cancellation: '本文件作废一张账单',
  },
  worth: '已付金额',
  explorer: '在网络上',
};
