// Number of forms and plural formula of the languages whose cases have plurals; others have two forms.
export const PLURALS = {
  ar: [6, 'n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5'],
  cs: [3, '(n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2'],
  fr: [2, 'n > 1'],
  ja: [1, '0'],
  ru: [3, 'n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2'],
};
