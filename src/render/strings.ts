/** What we say in mails besides the publisher's own words. */
export interface Strings {
  /** The preheader: `5 new articles`. */
  newArticles: (count: number) => string;
  nothingNew: string;
  issueNumber: (number: string) => string;
  by: (names: string) => string;
  readOn: string;
  alsoNew: string;
  andMore: (count: number) => string;
  /** Why a digest comes; `publication` is absent when the digest has the same name. */
  subscribed: (digest: string, publication?: string) => string;
  /** Why a notice comes. */
  sentBy: (publication: string) => string;
  unsubscribe: string;
  webVersion: string;
  imprint: string;
  privacy: string;
  /** The heading of a reissue's reason. */
  correction: string;
  correctedSubject: (subject: string) => string;
  buttonHelp: string;
}

const ENGLISH: Strings = {
  newArticles: (count) => (count === 0 ? 'No new articles' : count === 1 ? '1 new article' : `${count} new articles`),
  nothingNew: 'There is nothing new this time.',
  issueNumber: (number) => `No. ${number}`,
  by: (names) => `By ${names}`,
  readOn: 'Read on',
  alsoNew: 'Also new',
  andMore: (count) => `and ${count} more`,
  subscribed: (digest, publication) =>
    `You get this because you subscribed to ${digest}${publication === undefined ? '' : ` at ${publication}`}.`,
  sentBy: (publication) => `This mail was sent by ${publication}.`,
  unsubscribe: 'Unsubscribe',
  webVersion: 'Read on the web',
  imprint: 'Imprint',
  privacy: 'Privacy',
  correction: 'Correction',
  correctedSubject: (subject) => `Corrected: ${subject}`,
  buttonHelp: 'If the button does nothing, copy this address into your browser:',
};

const GERMAN: Strings = {
  newArticles: (count) =>
    count === 0 ? 'Keine neuen Artikel' : count === 1 ? '1 neuer Artikel' : `${count} neue Artikel`,
  nothingNew: 'Diesmal gibt es nichts Neues.',
  issueNumber: (number) => `Nr. ${number}`,
  by: (names) => `Von ${names}`,
  readOn: 'Weiterlesen',
  alsoNew: 'Außerdem neu',
  andMore: (count) => `und ${count} weitere`,
  subscribed: (digest, publication) =>
    `Diese Mail kommt, weil ${digest}${publication === undefined ? '' : ` bei ${publication}`} unter dieser Adresse abonniert wurde.`,
  sentBy: (publication) => `Diese Mail kommt von ${publication}.`,
  unsubscribe: 'Abbestellen',
  webVersion: 'Im Web lesen',
  imprint: 'Impressum',
  privacy: 'Datenschutz',
  correction: 'Berichtigung',
  correctedSubject: (subject) => `Berichtigt: ${subject}`,
  buttonHelp: 'Wenn die Schaltfläche nichts tut, kopieren Sie diese Adresse in den Browser:',
};

const FRENCH: Strings = {
  newArticles: (count) =>
    count === 0 ? 'Aucun nouvel article' : count === 1 ? '1 nouvel article' : `${count} nouveaux articles`,
  nothingNew: 'Rien de nouveau cette fois-ci.',
  issueNumber: (number) => `N° ${number}`,
  by: (names) => `Par ${names}`,
  readOn: 'Lire la suite',
  alsoNew: 'Autres nouveautés',
  andMore: (count) => `et ${count} de plus`,
  subscribed: (digest, publication) =>
    `Vous recevez ce message parce que vous êtes abonné à ${digest}${publication === undefined ? '' : ` (${publication})`}.`,
  sentBy: (publication) => `Ce message vous est envoyé par ${publication}.`,
  unsubscribe: 'Se désabonner',
  webVersion: 'Lire sur le web',
  imprint: 'Mentions légales',
  privacy: 'Confidentialité',
  correction: 'Rectificatif',
  correctedSubject: (subject) => `Rectifié : ${subject}`,
  buttonHelp: 'Si le bouton ne fonctionne pas, copiez cette adresse dans votre navigateur :',
};

const SPANISH: Strings = {
  newArticles: (count) =>
    count === 0 ? 'Ningún artículo nuevo' : count === 1 ? '1 artículo nuevo' : `${count} artículos nuevos`,
  nothingNew: 'Esta vez no hay nada nuevo.',
  issueNumber: (number) => `N.º ${number}`,
  by: (names) => `Por ${names}`,
  readOn: 'Seguir leyendo',
  alsoNew: 'También nuevo',
  andMore: (count) => `y ${count} más`,
  subscribed: (digest, publication) =>
    `Recibes este mensaje porque te suscribiste a ${digest}${publication === undefined ? '' : ` en ${publication}`}.`,
  sentBy: (publication) => `Este mensaje lo envía ${publication}.`,
  unsubscribe: 'Cancelar la suscripción',
  webVersion: 'Leer en la web',
  imprint: 'Aviso legal',
  privacy: 'Privacidad',
  correction: 'Corrección',
  correctedSubject: (subject) => `Corregido: ${subject}`,
  buttonHelp: 'Si el botón no funciona, copia esta dirección en tu navegador:',
};

// Counts stand behind a colon: Arabic has six plural forms, and a noun in the list form fits all of them.
const ARABIC: Strings = {
  newArticles: (count) => `مقالات جديدة: ${count}`,
  nothingNew: 'لا جديد هذه المرة.',
  issueNumber: (number) => `العدد ${number}`,
  by: (names) => `بقلم ${names}`,
  readOn: 'تابع القراءة',
  alsoNew: 'جديد أيضًا',
  andMore: (count) => `مقالات أخرى: ${count}`,
  subscribed: (digest, publication) =>
    `تصلك هذه الرسالة لأنك اشتركت في «${digest}»${publication === undefined ? '' : ` لدى «${publication}»`}.`,
  sentBy: (publication) => `أُرسلت هذه الرسالة من «${publication}».`,
  unsubscribe: 'إلغاء الاشتراك',
  webVersion: 'القراءة على الويب',
  imprint: 'بيانات الناشر',
  privacy: 'الخصوصية',
  correction: 'تصحيح',
  correctedSubject: (subject) => `تصحيح: ${subject}`,
  buttonHelp: 'إذا لم يعمل الزر، فانسخ هذا العنوان إلى المتصفح:',
};

const TABLE: Record<string, Strings> = {
  en: ENGLISH,
  de: GERMAN,
  fr: FRENCH,
  es: SPANISH,
  ar: ARABIC,
};

/** The words for a BCP 47 language tag; English for a language we do not speak. */
export function stringsFor(language: string): Strings {
  return TABLE[language.split('-')[0]?.toLowerCase() ?? ''] ?? ENGLISH;
}
