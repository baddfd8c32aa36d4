// Korean of what a payer sees beside the plain words of a page.
import type { SomeOf } from '#pages/languages/filled.ts';
import type { PayingTexts } from './en.ts';

export const koPaying: SomeOf<PayingTexts> = {
  choose: {
    bank: '계좌 이체',
    recommended: '추천',
    lastUsed: '지난번 사용',
    fits: '이 기기에 적합',
    search: '코인과 네트워크 검색',
    nothing: '일치하는 항목이 없습니다.',
    fee: (amount) => `네트워크 수수료 약 ${amount}`,
    feeUnder: (amount) => `네트워크 수수료 ${amount} 미만`,
    feeFrom: (amount) => `네트워크 수수료 ${amount}부터`,
    networks: (number) => `네트워크 ${number}개`,
  },
  pay: {
    showCode: '코드 보기',
    enlarge: '코드 확대',
    close: '닫기',
    noWallet: '여기에 지갑이 없나요? 휴대전화로 코드를 스캔하세요.',
    compare: '지갑에서 처음 네 글자와 마지막 네 글자를 비교해 주세요.',
  },
  steps: {
    title: '결제 진행 상황',
    sent: '보냈습니다',
    seen: '네트워크에서 보였습니다',
    confirmed: '확인됨',
    told: '상점에 알립니다',
    wasTold: '상점에 알렸습니다',
    device: '다른 기기에서 계속',
    deviceHint: '다른 기기로 스캔하면 그곳에서 이 페이지가 열립니다.',
    signal: '결제되면 소리와 진동',
    share: '영수증 공유',
    calendar: '캘린더에 추가',
  },
  trust: {
    title: '이 주소가 맞나요?',
    signed: '이 시스템이 주소에 서명했습니다. 가능하면 다른 기기에서 확인하세요:',
    check: '주소 확인',
    host: (host) =>
      `브라우저 주소창에 ${host} 가 보일 때만 결제하세요. 도와주는 사람은 지갑의 단어를 묻지 않습니다.`,
    domain: '확인된 도메인',
    verified: '이 주소는 여기에서 발급되었습니다',
    verifiedHint: '지갑에 표시된 주소와 한 글자씩 비교하세요.',
    unsigned: '이 주소는 여기에서 발급되지 않았거나 글자가 바뀌었습니다. 아무것도 보내지 마세요.',
    key: '공개 키 (Ed25519)',
    place: '주소 또는 결제 페이지에 있는 확인 링크',
    memo: '메모 또는 태그 (있는 경우)',
    signature: '서명',
    signatureHint:
      '서명은 그 링크에 들어 있습니다. 주소만으로는 아무것도 알 수 없습니다. 다른 누구도 만들 수 없는 것은 그 서명입니다.',
  },
};
