declare module 'virtual:texts' {
  /** The house, and the rooms of it that few come to. */
  export type Part =
    'house' | 'workshop' | 'balance' | 'code' | 'study' | 'account' | 'profile' | 'inbox' | 'library' | 'puzzles' | 'notices' | 'together';
  /** Where the sentences of each language are. */
  const urls: Record<'en' | 'zh', Record<Part, string>>;
  export default urls;
}
