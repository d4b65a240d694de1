/** The templates where no form of an encoder is open, as the command palette opens them. */
import type { EncoderTemplate } from '@trunkline/contract/encoders/template.schema'
import { useState } from 'react'
import { ManageTemplatesDialog } from './ManageTemplatesDialog.tsx'
import { RenameTemplateDialog } from './RenameTemplateDialog.tsx'

export function TemplatesDialog({ onClose }: { onClose: () => void }) {
  const [renamed, setRenamed] = useState<EncoderTemplate | null>(null)
  const [lastId, setLastId] = useState('')
  if (renamed !== null) {
    const close = () => {
      setLastId(renamed.id)
      setRenamed(null)
    }
    return <RenameTemplateDialog template={renamed} onClose={close} />
  }
  return (
    <ManageTemplatesDialog form={null} focusedId={lastId} onRename={setRenamed} onClose={onClose} />
  )
}
