// Romanian of what a payer sees beside the plain words of a page.
import type { SomeOf } from '#pages/languages/filled.ts';
import { countedText, type NounForms } from '#pages/languages/plural.ts';
import type { PayingTexts } from './en.ts';

const count = (number: number, forms: NounForms) => countedText('ro', number, forms);

export const roPaying: SomeOf<PayingTexts> = {
  choose: {
    bank: 'Transfer bancar',
    recommended: 'Recomandat',
    lastUsed: 'Folosit data trecută',
    fits: 'Potrivit pentru acest dispozitiv',
    search: 'Căutați monede și rețele',
    nothing: 'Nimic nu se potrivește.',
    fee: (amount) => `comision de rețea cam ${amount}`,
    feeUnder: (amount) => `comision de rețea sub ${amount}`,
    feeFrom: (amount) => `comision de rețea de la ${amount}`,
    networks: (number) => count(number, { one: 'rețea', few: 'rețele', other: 'de rețele' }),
  },
  pay: {
    showCode: 'Arătați codul',
    enlarge: 'Măriți codul',
    close: 'Închideți',
    noWallet: 'Nu aveți aici un portofel? Scanați codul cu telefonul.',
    compare: 'Comparați în portofel primele patru și ultimele patru caractere.',
  },
  steps: {
    title: 'Ce se întâmplă cu plata dumneavoastră',
    sent: 'Ați trimis',
    seen: 'Rețeaua a văzut-o',
    confirmed: 'Confirmată',
    told: 'Magazinul află de ea',
    wasTold: 'Magazinul a aflat de ea',
    device: 'Continuați pe alt dispozitiv',
    deviceHint: 'Scanați aceasta cu celălalt dispozitiv: acolo se deschide această pagină.',
    signal: 'Sunet și vibrație când este plătit',
    share: 'Distribuiți chitanța',
    calendar: 'Adăugați în calendar',
  },
  trust: {
    title: 'Este corectă această adresă?',
    signed: 'Această instalare a semnat adresa. Verificați-o, cel mai bine pe alt dispozitiv:',
    check: 'Verificați adresa',
    host: (host) =>
      `Plătiți numai dacă bara de adrese a browserului arată ${host}. Cine vă ajută nu cere niciodată cuvintele portofelului.`,
    domain: 'Domeniu verificat',
    verified: 'Această adresă a fost emisă aici',
    verifiedHint: 'Comparați-o semn cu semn cu cea arătată de portofel.',
    unsigned:
      'Această adresă nu a fost emisă aici sau un semn a fost schimbat. Vă rugăm să nu trimiteți nimic.',
    key: 'Cheie publică (Ed25519)',
    place: 'Adresa sau linkul de verificare de pe pagina de plată',
    memo: 'Memo sau etichetă, dacă există',
    signature: 'Semnătura',
    signatureHint:
      'Semnătura se află în acel link. O adresă singură nu spune nimic: semnătura ei este ceea ce nimeni altcineva nu poate face.',
  },
};
