declare module 'virtual:texts' {
  /** Where the sentences of each language are. */
  const urls: Record<'en' | 'zh', string>;
  export default urls;
}
