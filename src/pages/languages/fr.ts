import type { Texts } from './en.ts';
import { frPaying, frShop } from './paying/fr.ts';
import { countedText, type NounForms } from './plural.ts';

const count = (number: number, forms: NounForms) => countedText('fr', number, forms);

// A no-break space stands before double signs (: ; ? !), as French typesetting asks.
export const fr: Texts = {
  paying: frPaying,
  shop: frShop,
  page: {
    language: 'Langue',
    skip: 'Aller directement au paiement',
    notInFrame: 'Cette page ne peut pas être affichée dans une autre page.',
    newWindow: 'Ouvrir dans une nouvelle fenêtre',
    poweredBy: 'Paiements par Quittance',
    testMode: 'Mode test',
    testModeHint: 'Aucun argent réel ne circule ici.',
    copy: 'Copier',
    copied: 'Copié',
    back: 'Retour',
    tryAgain: 'Réessayer',
  },
  summary: {
    title: 'Votre commande',
    quantity: (quantity) => `× ${quantity}`,
    discount: 'Remise',
    shipping: 'Livraison',
    tax: 'Taxe',
    total: 'Montant total',
    seller: 'Vendeur',
    order: 'Référence du paiement',
  },
  choose: {
    title: (total) => `Payer ${total}`,
    hint: 'Choisissez avec quoi vous souhaitez payer.',
    networkTitle: (group) => `Payer avec ${group}`,
    networkHint: 'Choisissez le réseau sur lequel votre portefeuille ou votre plateforme envoie.',
    only: 'La page suivante vous indiquera le montant et où l’envoyer.',
    continue: 'Continuer',
    otherGroups: 'Autres monnaies',
    back: 'Retour au paiement',
    on: (network) => `sur le réseau ${network}`,
    timeInstant: 'confirmé en quelques secondes',
    timeMinutes: (minutes) => `confirmé en ${minutes} environ`,
    exchanges: 'possible depuis une plateforme d’échange',
    none: 'Plus aucun moyen de paiement n’est ouvert. Veuillez retourner à la boutique et commander de nouveau.',
    slow: 'les paiements apparaissent avec retard en ce moment',
  },
  pay: {
    title: (total) => `Payer ${total}`,
    amount: 'Envoyez exactement',
    amountRest: 'Reste à envoyer',
    address: (network) => `À cette adresse ${network}`,
    invoice: 'Payez cette facture Lightning',
    memo: 'Avec ce mémo',
    tag: 'Avec ce tag de destination',
    memoWarning:
      'Le mémo fait partie de votre paiement. Sans lui, nous ne pouvons pas savoir qui a payé.',
    tagWarning:
      'Le tag fait partie de votre paiement. Sans lui, nous ne pouvons pas savoir qui a payé.',
    onlyNetwork: (assetCode, network) =>
      `Envoyez ${assetCode} uniquement sur le réseau ${network}. Tout autre envoi peut être perdu.`,
    qrLink: 'Lien complet',
    qrAddress: 'Adresse seule',
    qrShows: 'Le code contient',
    qrAlt: (content) => `Code QR. Il contient\u00a0: ${content}`,
    link: 'Lien de paiement en texte',
    wallet: 'Ouvrir dans le portefeuille',
    exchange:
      'Vous payez depuis une plateforme d’échange\u00a0? Ses frais de retrait s’ajoutent\u00a0: vérifiez que ce montant exact arrive.',
    timeLeft: (time) => `Temps restant à ce prix\u00a0: ${time}`,
    timeShort: 'moins d’une minute',
    windowOver: 'Le délai pour ce prix est écoulé.',
    watching: 'Nous observons le réseau. Cette page change dès que nous voyons votre paiement.',
    change: 'Payer autrement',
    cancel: 'Annuler le paiement',
    rate: (one, price, time) => `${one} = ${price}, à ${time}`,
    networkFee: (network) => `Votre portefeuille ajoute les frais du réseau ${network}.`,
    anchorFee: (fee) => `Dont ${fee} de frais du service qui transmet le paiement.`,
    unify: 'Un seul code pour Bitcoin et Lightning',
  },
  bank: {
    time: 'environ un jour ouvrable',
    holder: 'Titulaire du compte',
    account: 'Numéro de compte',
    pixKey: 'Clé Pix',
    reference: 'Avec cette référence',
    referenceWarning:
      'La référence fait partie de votre paiement. Sans elle, nous ne pouvons pas savoir qui a payé.',
    duration:
      'Un virement prend environ un jour ouvrable. Il compte quel que soit le moment où il arrive.',
    code: 'Scannez le code avec l’application de votre banque.',
    fees: 'Votre banque prend peut-être des frais. Ce montant exact doit arriver.',
    watching:
      'Vous pouvez fermer cette page. La boutique sera informée de votre virement dès que notre banque le comptabilise.',
  },
  seen: {
    title: 'Nous voyons votre paiement',
    hint: 'Vous pouvez fermer cette page. La suite se fait toute seule.',
    amount: 'Vu jusqu’ici',
    confirmations: (have, need) =>
      `${have} sur ${count(need, { one: 'confirmation', other: 'confirmations' })}`,
    waiting: 'en attente de la première confirmation',
    final: 'confirmé',
    held: 'confirmé, retenu pour le moment',
    heldHint:
      'Le réseau ne fonctionne pas comme il le devrait en ce moment. Les paiements importants attendent que tout soit rentré dans l’ordre. Vous n’avez rien à faire.',
    wrongAsset: 'une autre monnaie que celle demandée',
    transaction: 'Numéro de transaction',
    timeSeconds: 'C’est généralement terminé en moins d’une minute.',
    timeMinutes: (range) =>
      `Cela prend généralement ${range}. Les blocs arrivent à intervalles irréguliers.`,
    short: 'C’est moins que le prix. Veuillez envoyer aussi le reste.',
    explorer: (host) => `Voir sur ${host}`,
  },
  partial: {
    title: 'Il manque encore une partie',
    hint: 'Votre paiement est arrivé, mais il était inférieur au prix.',
    received: 'Reçu',
    remaining: 'Reste',
    rest: 'Envoyez le reste de la même manière\u00a0:',
    windowOver: 'Le délai pour ce prix est écoulé\u00a0: veuillez ne rien envoyer à l’ancien.',
    alternatives:
      'Vous ne souhaitez pas payer le reste\u00a0? Demandez un remboursement à la boutique en indiquant la référence.',
  },
  paid: {
    title: 'Payé. Merci\u00a0!',
    hint: 'Le paiement est complet et la boutique en est informée.',
    amount: 'Montant',
    seller: 'Payé à',
    when: 'Terminé',
    reference: 'Référence',
    return: 'Retour à la boutique',
    print: 'Vous pouvez imprimer ou enregistrer cette page comme preuve de paiement.',
    leaving: (time) => `Retour à la boutique dans ${time}.`,
    stay: 'Rester sur cette page',
  },
  expired: {
    title: 'Le délai de paiement est écoulé',
    doNotSend: 'Veuillez ne plus rien envoyer.',
    alreadySent: 'Vous avez déjà envoyé\u00a0?',
    alreadySentHint:
      'Nous continuons à observer l’adresse, et ce qui arrive sera encore crédité. Conservez cette référence.',
    wasDue: 'Il vous était demandé',
    address: 'À l’adresse',
    newPrice: 'Obtenir un nouveau prix',
    again: 'Choisir un autre moyen de paiement',
    return: 'Retour à la boutique',
  },
  cancelled: {
    title: 'Paiement annulé',
    nothing: 'Rien n’a été débité.',
    hint: 'Veuillez ne rien envoyer à l’adresse qui vous a été montrée.',
    sent: 'Si vous aviez envoyé quelque chose, la boutique en sera tout de même créditée\u00a0: indiquez-lui cette référence.',
    back: 'Retour à la boutique',
  },
  trouble: {
    title: 'Nous vérifions',
    behindOver: (network) =>
      `Le délai de paiement est écoulé, mais nous ne voyons pas en ce moment les paiements les plus récents sur ${network}. Si vous avez payé, votre paiement sera retrouvé. Sinon, veuillez ne plus rien envoyer.`,
    behind: (network) =>
      `Nous ne voyons pas en ce moment les paiements les plus récents sur ${network}. Ce qui arrive apparaîtra ici un peu plus tard.`,
    replaced:
      'Un paiement que nous avions vu a été remplacé ou retiré. Seul compte ce que le réseau confirme.',
    wrongAsset:
      'Une autre monnaie que celle demandée est arrivée. Elle n’est pas perdue, mais elle ne paie pas cette commande\u00a0: contactez la boutique en indiquant la référence.',
    reversed:
      'Le réseau est revenu sur un paiement confirmé\u00a0: il ne compte plus. La boutique en est informée.',
    takenBack: 'Votre paiement a été repris',
    takenBackHint:
      'Le réseau est revenu sur un paiement confirmé. La boutique en est informée\u00a0: veuillez la contacter avant de payer à nouveau.',
    rateMissing: (assets) =>
      `Il n’y a pas de cours actuel pour ${assets}\u00a0; ce choix n’est donc pas possible en ce moment.`,
    wrongNetwork: (amount, network) =>
      `${amount} est arrivé sur ${network}, où il n’était pas demandé. Il n’est pas perdu, mais il ne paie pas cette commande\u00a0: contactez la boutique en indiquant la référence.`,
  },
  notice: {
    over: (amount) =>
      `Vous avez envoyé ${amount} de trop. La boutique en a aussi été créditée\u00a0: demandez-lui de vous le rendre.`,
    late: 'Il est arrivé après le délai et a été crédité au prix du moment de son arrivée.',
    multiple:
      'Plusieurs paiements sont arrivés pour cette commande. Contactez la boutique au sujet du trop-perçu.',
    acceptedUnderpaid: 'C’était moins que le prix, et la boutique l’a accepté.',
    refundAwaiting: (amount) =>
      `La boutique vous rend ${amount}. Elle vous donne un lien où indiquer la destination.`,
    refundUnderWay: (amount) => `La boutique vous rend ${amount}\u00a0: c’est en route.`,
    refundCompleted: (amount) => `La boutique vous a rendu ${amount}.`,
  },
  contact: {
    hint: 'Des questions\u00a0? Indiquez la référence.',
    link: 'Contacter la boutique',
  },
  find: {
    title: 'Retrouver mon paiement',
    hint: 'Déjà envoyé\u00a0? Collez l’identifiant de la transaction de votre portefeuille ou plateforme.',
    label: 'Identifiant de la transaction',
    button: 'Vérifier',
    unreadable:
      'Cela ne contient pas d’identifiant de transaction. Il compte 64 lettres et chiffres\u00a0; votre portefeuille l’affiche dans les détails du paiement.',
    waiting: (amount) =>
      `Nous le voyons\u00a0: ${amount}. Il attend sa première confirmation\u00a0; vous n’avez rien à faire.`,
    confirming: (amount) =>
      `Nous le voyons\u00a0: ${amount}. Le réseau le confirme\u00a0; vous n’avez rien à faire.`,
    confirmed: (amount) => `Il est arrivé et confirmé\u00a0: ${amount}.`,
    gone: 'Nous l’avions vu, mais le réseau l’a remplacé ou abandonné. Seul compte ce que le réseau confirme\u00a0: regardez dans votre portefeuille.',
    less: (amount, missing) =>
      `Il est arrivé\u00a0: ${amount}. Cela ne suffit pas encore\u00a0: il manque ${missing}.`,
    lessAsk: (amount) =>
      `Il est arrivé\u00a0: ${amount}. C’est moins que le prix\u00a0: contactez la boutique en indiquant la référence.`,
    more: (amount, excess) =>
      `Il est arrivé\u00a0: ${amount}. C’est ${excess} de trop\u00a0; demandez à la boutique de vous le rendre.`,
    wrongAsset: (asset) =>
      `Il est arrivé, mais en ${asset}, qui n’était pas demandé. Il n’est pas perdu\u00a0: contactez la boutique en indiquant la référence.`,
    wrongNetwork: (network) =>
      `Ce paiement est sur le réseau ${network}, où il n’était pas demandé. Il n’est pas perdu\u00a0: contactez la boutique en indiquant la référence.`,
    otherNetwork:
      'Cet identifiant vient d’un autre type de réseau que celui demandé. Vérifiez dans votre portefeuille sur quel réseau vous avez envoyé, puis contactez la boutique.',
    noMemo: (network) =>
      `Il est arrivé sur ${network}, mais sans le mémo ou le tag qui désigne votre commande. Il n’est pas perdu\u00a0: contactez la boutique avec la référence et cette transaction.`,
    elsewhere:
      'Ce paiement n’appartient pas à cette commande. Vérifiez que vous avez collé le bon.',
    notFound:
      'Nous ne le voyons pas encore. Si votre portefeuille indique qu’il est envoyé, vérifiez-y le réseau et l’adresse, puis redemandez dans quelques minutes.',
    notFoundBehind: (networks) =>
      `Nous ne le voyons pas, mais en ce moment nous ne voyons pas non plus les paiements les plus récents sur ${networks}. Redemandez un peu plus tard\u00a0; rien n’est perdu.`,
    tooOften: 'Trop de demandes en peu de temps. Attendez une minute et réessayez.',
  },
  error: {
    missingTitle: 'Cette page n’existe pas',
    missingHint: 'L’adresse est incomplète, ou elle n’a jamais été la nôtre.',
    methodGone: 'Ce moyen de paiement n’est plus ouvert. Veuillez en choisir un autre.',
    hasMoney: 'Un paiement a déjà été vu\u00a0: il n’est plus possible d’annuler.',
    completed: 'Cette commande est déjà payée.',
    outageTitle: 'Un instant, s’il vous plaît',
    outageHint: 'Une partie de notre système ne répond pas. Rien n’est perdu. Veuillez réessayer.',
    faultTitle: 'Un problème est survenu de notre côté',
    faultHint:
      'Rien n’est perdu. Veuillez réessayer\u00a0; si cela se reproduit, prévenez la boutique.',
    refusedTitle: 'Cela n’a pas fonctionné',
    refusedHint: 'Veuillez revenir en arrière et réessayer.',
    rateAway:
      'Il n’y a pas de cours actuel pour ce moyen de paiement en ce moment. Rien n’a été débité\u00a0: choisissez-en un autre ou réessayez dans une minute.',
    networkAway:
      'Ce réseau ne nous répond pas en ce moment. Rien n’a été débité\u00a0: choisissez-en un autre ou réessayez dans une minute.',
    addressPending:
      'L’adresse est encore en préparation. Rien n’a été débité\u00a0: choisissez à nouveau ce moyen dans quelques secondes.',
  },
  link: {
    amount: 'Montant',
    between: (least, most) => `De ${least} à ${most}.`,
    atLeast: (least) => `Au moins ${least}.`,
    atMost: (most) => `Au plus ${most}.`,
    pay: 'Continuer vers le paiement',
    wrong: 'Écrivez un montant comme 12,50 que ce lien accepte.',
    off: 'Ce lien n’est pas utilisé en ce moment.',
    over: 'Le temps de ce lien est écoulé.',
    soldOut: 'Il ne reste rien. Une place peut se libérer\u00a0: revenez dans une heure.',
    closed: 'Ceci ne peut pas être payé en ce moment. Réessayez plus tard.',
  },
  refund: {
    title: (amount) => `Remboursement de ${amount}`,
    hint: (network) =>
      `La boutique vous rend cet argent. Indiquez-nous où l’envoyer, sur le réseau ${network}.`,
    yourAddress: (network) => `Votre adresse ${network}`,
    lightningAddress:
      'Votre adresse Lightning (nom@exemple.fr), ou une facture de ce montant exact',
    memoLabel: 'Mémo, si votre plateforme en demande un',
    tagLabel: 'Destination tag, si votre plateforme en demande un',
    memoHint:
      'Les plateformes l’exigent\u00a0: sans lui, l’argent peut ne pas arriver sur votre compte. Pour un portefeuille à vous, laissez vide.',
    memoType: 'Type de mémo',
    check: 'Vérifiez-la bien\u00a0: ce qui est envoyé ne peut pas être récupéré.',
    claim: 'Envoyer à cette adresse',
    next: 'Continuer',
    review: 'Est-ce correct\u00a0?',
    edit: 'Modifier',
    none: 'aucun',
    until: 'Ouvert jusqu’au',
    looksLike: (forms) => `Elle commence par ${forms}.`,
    whereFrom: (network) =>
      `Depuis votre propre portefeuille (une application ou un appareil dont vous seul avez les clés) : copiez son adresse de réception sur ${network}. Depuis une plateforme : copiez son adresse de dépôt pour ce réseau précis.`,
    bankHint: {
      SEPA: 'L’IBAN de votre compte dans une banque de la zone SEPA.',
      SWIFT:
        'Quatre parties séparées par un point-virgule : IBAN ou numéro de compte ; BIC ; nom du titulaire ; rue, ville, code du pays.',
      PIX: 'Votre clé Pix : CPF, CNPJ, adresse e-mail, téléphone avec +55 ou clé aléatoire.',
    },
    noAddress:
      'Ce n’est pas une adresse de ce réseau. Veuillez la copier de nouveau depuis votre portefeuille.',
    badMemo:
      'Ce mémo ne correspond pas à son type. Veuillez le copier de nouveau depuis votre plateforme.',
    badTag:
      'Un destination tag est un nombre entier. Veuillez le copier de nouveau depuis votre plateforme.',
    tooDear:
      'En ce moment, le réseau prélève pour un envoi bien plus que lors de la création de ce remboursement. L’argent vous reste réservé : veuillez revenir dans quelques heures.',
    underWay: 'Votre remboursement est en route. Vous pouvez fermer cette page.',
    rests: (when: string) =>
      `Pour votre sécurité, votre remboursement sera envoyé après le ${when}. Vous pouvez fermer cette page.`,
    completed: 'Votre remboursement a été envoyé et il est arrivé.',
    toClaim: (asset) =>
      `Votre remboursement a été envoyé. Votre compte n’accepte pas encore ${asset}, l’argent vous attend donc sur le réseau : ajoutez ${asset} dans votre portefeuille, puis réclamez le solde indiqué ci-dessous.`,
    claimBefore: (when) =>
      `Réclamez-le avant cette date : ${when}. Ensuite, la boutique peut le reprendre.`,
    failed: 'Le remboursement n’a pas pu être envoyé. Veuillez contacter la boutique.',
    address: 'À cette adresse',
    transaction: 'Numéro de transaction',
    uncertain:
      'Votre remboursement sera envoyé dès que le réseau aura de nouveau confirmé votre paiement.',
    takenBack:
      'Le réseau a annulé votre paiement, il n’y a donc rien à rembourser\u00a0: l’argent est toujours, ou de nouveau, là d’où vous avez payé.',
  },
  paper: {
    receipt: 'Reçu',
    invoice: 'Facture',
    date: 'Date d’émission',
    buyer: 'Acheteur',
    taxId: 'Numéro fiscal',
    description: 'Désignation',
    amount: 'Montant',
    state: 'État',
    states: {
      open: 'À payer',
      underWay: 'Paiement en cours',
      partial: 'Payé en partie',
      paid: 'Payé',
      over: 'Délai de paiement écoulé',
      cancelled: 'Annulé',
    },
    due: 'Montant à payer',
    howToPay: 'Comment payer',
    howToPayHint:
      'Ouvrez cette adresse ou scannez le code. Vous y choisissez avec quoi payer et voyez le montant exact à envoyer.',
    payment: (number) => `Paiement ${number}`,
    arrived: 'Vu',
    confirmed: 'Confirmé',
    notConfirmed: 'pas encore confirmé',
    network: 'Réseau',
    rate: 'Cours',
    refund: (number) => `Remboursement ${number}`,
    refunded: 'Remboursé',
    print: 'Vous pouvez imprimer ou enregistrer cette page.',
    pdf: 'Reçu en PDF',
    toPayment: 'Aller à la page de paiement',
    page: (page, pages) => `Page ${page} sur ${pages}`,
    missingTitle: 'Il n’y a pas encore de reçu',
    missingHint: 'Il apparaîtra ici dès que le paiement sera confirmé.',
  },
  bill: {
    number: 'Numéro de facture',
    dueOn: 'À payer avant le',
    net: 'Montant net',
    vatId: 'Numéro de TVA',
    taxNumber: 'Numéro fiscal',
    delivered: 'Livraison ou prestation',
    cancellation: 'Facture d’annulation',
    cancels: (name, day) => `Elle annule la facture ${name} du ${day}.`,
    cancelledBy: (name) => `Cette facture a été annulée par ${name}.`,
    overdue: 'En retard',
    pay: 'Payer maintenant',
    payHint: 'Vous choisissez avec quoi payer et voyez le prix de cet instant.',
    underWay: 'Un paiement pour cette facture est en cours.',
    pdf: 'Facture en PDF',
  },
  sandbox: {
    title: 'Portefeuille d’essai',
    hint: 'Jouez le rôle du payeur. Uniquement en mode test, sur des réseaux simulés.',
    payExact: 'Payer exactement',
    payUnder: 'Payer la moitié',
    payOver: 'Payer un quart de plus',
    payParts: 'Payer en deux fois',
    payLate: 'Payer trop tard',
    replace: 'Remplacer le paiement',
    reorg: 'Réorganiser',
    mine: 'Générer un bloc',
    expire: 'Faire expirer maintenant',
    payRest: 'Payer le reste',
    payOtherAsset: 'Payer dans une autre monnaie',
  },
};
