// French of people.

import type { PeopleTexts } from './en.ts';

export const frPeople: PeopleTexts = {
  people: {
    mailed: {
      PENDING: 'Message écrit, en route depuis',
      SENT: 'Message envoyé',
      PARKED: 'Le message a été refusé',
    },
    title: 'Personnes',
    who: 'Qui peut faire quoi',
    you: 'vous',
    role: 'Rôle',
    change: 'Modifier',
    invite: 'Inviter une personne',
    name: 'Nom',
    email: 'Adresse e-mail',
    submit: 'Créer l’invitation',
    link: 'Donnez ce lien à la personne. Il sert une seule fois, pendant sept jours, et n’est affiché que cette fois.',
    open: 'Invitations en attente',
    until: 'Valable jusqu’au',
    withdraw: 'Annuler l’invitation',
  },
  signInLink: {
    send: 'M’envoyer un lien',
    sent: 'Un lien est en route',
    sentHint:
      'Si quelqu’un est connu ici sous cette adresse, il reçoit dans un instant un e-mail avec un lien. Il fonctionne une fois, pendant quinze minutes.',
    title: 'Se connecter par lien',
    hint: 'Ce lien vous connecte une fois. L’argent, les clés et les personnes demandent tout de même votre mot de passe ou votre clé d’accès.',
    gone: 'Ce lien a déjà servi ou est trop ancien. Demandez-en un autre.',
  },
  trail: {
    title: 'Journal',
    hint: 'Ce qu’ont fait les personnes et les clés de cette boutique, ce qui lui a été fait en ligne de commande et ce que le serveur a fait pour elle, avec ce qui a été noté pour chaque acte. Personne ne le change ni ne l’efface.',
    aboutHint: 'transfer:ID ; ou transfer, key, beneficiary, person : tout ce qui est de ce genre',
    sentFrom: 'D’où',
    asCsv: 'Ceux-ci en tableau (CSV)',
    asJson: 'Ceux-ci en JSON',
  },
  keyboard: {
    title: 'Clavier',
    search: 'Rechercher',
    help: 'Ces touches',
    on: 'Utiliser ces touches dans ce navigateur',
    close: 'Fermer',
  },
};
