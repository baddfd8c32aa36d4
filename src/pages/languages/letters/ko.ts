import type { SomeOf } from '#pages/languages/filled.ts';
import type { CustomerLetterTexts, VerifyTexts } from './en.ts';

export const koLetters: SomeOf<CustomerLetterTexts> = {
  test: '테스트',
  testHint: '테스트였습니다. 실제 돈은 움직이지 않았습니다.',
  reference: (id) => `결제 번호: ${id}`,
  contact: (contact) => `궁금한 점은 상점에 문의해 주세요: ${contact}`,
  why: (shop) => `${shop}에서 결제하셨고 상점에 고객님의 주소가 있어 이 메일을 보내 드립니다.`,
  whyAsked: (shop) => `누군가 ${shop} 결제 페이지에 이 주소를 입력하여 이 메일을 보내 드립니다.`,
  leave: '이 상점의 결제 메일 그만 받기',
  seen: {
    subject: (shop) => `${shop} 결제의 입금이 보입니다`,
    title: '입금이 보입니다',
    body: (amount) => `${amount} 송금 중입니다. 네트워크가 확인하고 있으며 하실 일은 없습니다.`,
    button: '상태 보기',
  },
  paid: {
    subject: (shop) => `${shop} 결제가 완료되었습니다`,
    title: '결제 완료. 감사합니다!',
    body: (shop, total) => `${shop}에서 고객님의 결제 ${total}를 받았습니다.`,
    button: '영수증 열기',
  },
  underpaid: {
    subject: (shop) => `${shop} 결제의 일부가 부족합니다`,
    title: '아직 일부가 부족합니다',
    body: (received, remaining) => `${received} 도착, ${remaining} 부족합니다.`,
    todo: '나머지의 현재 가격과 결제 방법이 페이지에 있습니다. 내고 싶지 않으신가요? 결제 번호를 알려 상점에 환불을 요청해 주세요.',
    button: '나머지 결제',
  },
  expired: {
    subject: (shop) => `${shop} 결제 시간이 지났습니다`,
    title: '결제 시간이 지났습니다',
    body: '청구된 금액이 없습니다. 이전 가격으로는 아무것도 보내지 마세요.',
    todo: '아직 결제하고 싶으신가요? 페이지에서 새 가격을 알려 드립니다. 이미 보내셨나요? 도착한 금액은 반영됩니다. 결제 번호를 보관해 주세요.',
    money: {
      body: '이 결제로 계산되지 않는 것이 도착했습니다. 다른 화폐이거나 네트워크가 확인하지 않은 이체입니다.',
      todo: '없어진 것은 아닙니다. 네트워크가 나중에 확인하는 금액은 그대로 입금됩니다. 다른 화폐라면 참조 번호를 알려 주며 상점에 문의하세요. 페이지에서 확인된 내용을 볼 수 있습니다.',
    },
    button: '페이지 열기',
  },
  claim: {
    subject: (shop) => `${shop}의 환불이 기다리고 있습니다`,
    title: '환불이 기다리고 있습니다',
    body: (shop, amount) => `${shop}에서 ${amount}를 돌려드립니다. 받을 곳을 페이지에서 여쭙니다.`,
    until: (moment) =>
      `${moment}까지 열려 있습니다. 링크를 아무에게도 주지 마세요. 가진 사람이 받을 곳을 정할 수 있습니다.`,
    button: '받을 곳 입력',
  },
  sent: {
    subject: (shop) => `${shop}의 환불을 보냈습니다`,
    title: '환불을 보냈습니다',
    body: (amount, address) => `${amount}를 ${address}(으)로 보냈습니다.`,
    transaction: (transaction) => `거래: ${transaction}`,
    button: '결제 보기',
  },
  bill: {
    sent: {
      subject: (shop, name) => `${shop}의 청구서 ${name}`,
      title: '청구서',
      body: (shop, total) => `${shop}에서 ${total} 청구서를 보냈습니다.`,
      due: (day) => `${day}까지 결제해 주세요.`,
    },
    soon: {
      subject: (shop, name) => `알림: ${shop}의 청구서 ${name}`,
      title: '청구서 기한이 다가옵니다',
      body: (total, day) => `${total} 청구서의 결제 기한은 ${day}입니다.`,
    },
    today: {
      subject: (shop, name) => `${shop}의 청구서 ${name} 기한이 오늘입니다`,
      title: '청구서 기한이 오늘입니다',
      body: (total, day) => `${total} 청구서의 결제 기한은 오늘, ${day}입니다.`,
    },
    overdue: {
      subject: (shop, name) => `${shop}의 청구서 ${name} 기한이 지났습니다`,
      title: '청구서 기한이 지났습니다',
      body: (total, day) =>
        `${total} 청구서의 결제 기한은 ${day}이었습니다. 아직 입금이 보이지 않습니다.`,
    },
    hint: '페이지에서 청구서를 보고 그때의 가격으로 결제할 수 있습니다. 이미 결제하셨다면 하실 일은 없습니다.',
    number: (name) => `청구서 번호: ${name}`,
    button: '청구서 보고 결제하기',
  },
  page: {
    title: (shop) => `${shop} 결제 메일`,
    gets: '이 상점의 결제 메일을 받고 있습니다.',
    leave: '그만 받기',
    left: '이 상점의 결제 메일을 더 이상 받지 않습니다.',
    again: '메일 다시 받기',
  },
};

export const koVerify: SomeOf<VerifyTexts> = {
  title: '영수증 또는 청구서 확인',
  hint: '영수증이나 청구서에 있는 코드를 입력해 주세요. 저희 장부의 내용이 표시되며 구매자 정보는 나오지 않습니다.',
  code: '확인 코드',
  at: '확인하는 곳',
  check: '확인',
  unknown: '이 코드의 영수증이나 청구서가 없습니다. 한 글자씩 비교해 주세요.',
  compare: '가지고 계신 문서와 비교해 주세요. 여기에 있는 내용이 맞습니다.',
  issuer: '발행처',
  states: {
    paid: '결제되었습니다',
    partial: '일부가 결제되었습니다',
    open: '확인된 입금이 없습니다',
    reversed: '결제되었으나 네트워크가 입금을 되돌렸습니다',
    refunded: '결제되었고 돈이 반환되었습니다',
    partlyRefunded: '결제되었고 일부가 반환되었습니다',
    cancelled: '이 청구서는 취소되었습니다',
    cancellation: '청구서를 취소하는 문서입니다',
  },
  worth: '결제한 금액',
  explorer: '네트워크에서',
};
