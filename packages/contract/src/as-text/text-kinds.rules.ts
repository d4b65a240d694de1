/** Every kind that is written as text. */
import { ENCODER_TEXT, FEEDER_TEXT } from './encoder-text.rules.ts'
import { DESTINATION_TEXT, INPUT_TEXT, OUTPUT_TEXT } from './link-text.rules.ts'
import { GROUP_TEXT, SERVER_TEXT, USER_TEXT } from './place-text.rules.ts'
import type { KindText } from './text-kind.ts'
import type { TextKind } from './text-object.schema.ts'

export const KIND_TEXTS: Readonly<Record<TextKind, KindText>> = {
  user: USER_TEXT,
  group: GROUP_TEXT,
  server: SERVER_TEXT,
  destination: DESTINATION_TEXT,
  encoder: ENCODER_TEXT,
  feeder: FEEDER_TEXT,
  input: INPUT_TEXT,
  output: OUTPUT_TEXT,
}
