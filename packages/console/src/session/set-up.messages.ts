/** What the set-up of a second factor says. Apart from what every page loads. */
import type { Question } from '../lib/confirm.ts'

export const SET_UP_LEAD =
  'Your role needs a second factor. Scan the code with an authenticator app, or type the key into it. Then enter the code that the app shows.'
export const NEW_PASSKEY_LEAD =
  'Your role needs a second factor. A passkey is kept by this device, a telephone or a security key. Name it, then confirm as the browser asks.'
export const NEW_PASSKEY_FAILED = 'The passkey was not added. Try again.'
export const KEEP_CODES_LEAD =
  'The second factor is on. Each of these codes signs you in once without it. They are not shown again.'
/** Before the page is left that shows them. */
export const CODES_ARE_LOST: Question = {
  sentences: [
    'These recovery codes are not shown again. Without one of them you cannot sign in once your app or passkey is lost.',
  ],
  doLabel: 'Leave without the codes',
  keepLabel: 'Stay here',
}
/** While they are made. */
export const CODES_ARE_AWAITED: Question = {
  sentences: [
    'The console server has not answered yet. The recovery codes that it makes are shown only once, here.',
  ],
  doLabel: 'Leave without the codes',
  keepLabel: 'Stay here',
}
