/** A time for machines and for people. @param otherwise text for 0, which means never */
export const timeOf = (ms: number, otherwise = ''): { iso: string; text: string } => {
  if (ms === 0) return { iso: '', text: otherwise };
  const iso = new Date(ms).toISOString();
  return { iso, text: `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC` };
};
