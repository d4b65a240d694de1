import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import { LogDialog } from '../programs/log/LogDialog.tsx'
import { LOG_TITLE, NO_RESPONSE } from './encoder.messages.ts'
import { encoderLogQuery } from './encoder.queries.ts'

/** 'Encoder logs'. */
export function EncoderLogDialog({ encoder, onClose }: { encoder: Encoder; onClose: () => void }) {
  return (
    <LogDialog
      title={LOG_TITLE}
      subtitle={encoder.title}
      level={3}
      queryFor={(use) => encoderLogQuery(encoder, use)}
      failedText={NO_RESPONSE}
      onClose={onClose}
    />
  )
}
