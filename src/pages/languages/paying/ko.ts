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
};
