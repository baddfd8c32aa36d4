// French of customers.

import type { CustomersTexts } from './en.ts';

export const frCustomers: CustomersTexts = {
  customers: {
    title: 'Clients',
    one: 'Client',
    find: 'L’adresse e-mail, le nom ou la société commence par',
    none: 'Il n’y a pas encore de clients. Votre boutique les crée, ou les nomme avec un paiement.',
    noneFound: 'Personne ne s’appelle ainsi.',
    more: 'Il y en a d’autres : écrivez davantage du nom.',
    fields: {
      email: 'Adresse e-mail',
      firstname: 'Prénom',
      lastname: 'Nom',
      company: 'Société',
      adr1: 'Adresse',
      adr2: 'Adresse, deuxième ligne',
      zip: 'Code postal',
      city: 'Ville',
      countrycode: 'Pays',
      phonenumber: 'Téléphone',
      taxid: 'Numéro fiscal',
      note: 'Note',
    },
    history: 'Ce qui a été acheté',
    noHistory: 'Rien n’a encore été acheté.',
    paid: 'Payé',
    refunded: 'Remboursé',
    addresses: 'Adresses connues',
    noAddresses:
      'Aucune encore. Une adresse est connue si quelque chose y a été remboursé ; qui a envoyé un paiement, personne ne l’apprend.',
    asJson: 'Tout en JSON',
    asCsv: 'Les achats en CSV',
    allAsCsv: 'Tous en CSV',
    allAsJson: 'Tous en JSON',
    erase: 'Effacer ce client',
    eraseHint:
      'Nom, adresses, note et tout ce qui est personnel disparaît pour toujours. Les paiements et les livres ne gardent que la référence, et vos propres données d’un paiement restent. Les messages envoyés sont oubliés après 90 jours.',
    sure: 'Oui, pour toujours',
    notSure: 'Cochez la case pour dire que vous êtes sûr.',
    erased: 'Le client a été effacé.',
  },
  merging: {
    title: 'Réunir avec une autre fiche',
    hint: 'Le même client est ici deux fois\u00a0? Cherchez l’autre fiche\u00a0: les deux sont montrées côte à côte avant que rien ne se passe.',
    look: 'Chercher',
    pairHint:
      'Ce qui est en gras reste. Les demandes de paiement, paiements et adresses connues des deux sont ensuite réunis\u00a0; l’autre référence désigne dès lors ce client, aussi pour vos programmes.',
    stays: 'Reste',
    other: 'En devient une partie',
    goes: 'disparaît pour toujours',
    turn: 'L’autre doit rester',
    forGood:
      'Cela ne peut pas être annulé\u00a0: ce qui disparaît n’est gardé nulle part, et les deux ne peuvent plus être séparées.',
    merge: 'Réunir',
    changed: 'L’une des deux a changé depuis que vous avez regardé. Regardez encore.',
    most: 'Ce client a déjà autant d’autres références que l’on en garde.',
    names: 'Autres références',
    done: 'Les deux fiches n’en font plus qu’une.',
  },
};
