/** @param header `Cookie` as it came; undefined for a cookie that is not in it */
export function cookieIn(header: string | undefined, name: string): string | undefined {
  const cookies = (header ?? '').split(';').map((cookie) => cookie.trim().split('='))
  return cookies.find(([given]) => given === name)?.[1]
}
