/** 'Encryption': whether, with which size of key, and the passphrase, which goes in and never comes out. */
import { FieldPlace } from '../../forms/ChangedField.tsx'
import { GenerateKey } from '../../shared/GenerateKey.tsx'
import { Fields, Section } from '../../shared/Section.tsx'
import { SecretField } from '../../ui/SecretField.tsx'
import classes from './EncryptionTab.module.css'
import { copiedKey, KEY_HINT, NO_ENCRYPTION } from './form.messages.ts'
import { KeyChoiceField } from './LinkFields.tsx'
import { mayEncrypt } from './link-field.rules.ts'
import type { LinkForm } from './link-form.hook.ts'

export function EncryptionTab({ form }: { form: LinkForm }) {
  const { fields } = form.state.values
  if (!mayEncrypt(fields)) {
    return (
      <Section title="Encryption">
        <p className={classes.none}>
          {NO_ENCRYPTION[fields['inputType'] === 'Local' ? 'Local' : 'Simple']}
        </p>
      </Section>
    )
  }
  const isOn = fields['encryption.selection'] === 'yes'
  const goes = form.state.values.hasKey && !isOn ? KEY_HINT.goes : ''
  return (
    <Section title="Encryption">
      <Fields columns={3}>
        <KeyChoiceField form={form} hint={goes} />
        {isOn && <PassphraseField form={form} />}
      </Fields>
    </Section>
  )
}

const NAME = 'encryption.passphrase'

function PassphraseField({ form }: { form: LinkForm }) {
  const typed = form.state.values.fields[NAME]
  return (
    <FieldPlace name={NAME} isChanged={!form.isNew && typed !== ''}>
      <SecretField
        label="Passphrase"
        secret="passphrase"
        autoComplete="new-password"
        spellCheck={false}
        value={typed}
        error={form.faultAt(NAME)}
        hint={passphraseHint(form)}
        onChange={({ target }) => form.take({ step: 'edit', name: NAME, text: target.value })}
        onBlur={() => form.leave(NAME)}
      />
      <div className={classes.generate}>
        <GenerateKey
          passphrase={typed}
          onGenerate={(text) => form.take({ step: 'edit', name: NAME, text })}
        />
      </div>
    </FieldPlace>
  )
}

function passphraseHint({ state, known }: LinkForm): string {
  const { base, values } = state
  const id = values.fields['destinationId']
  const destination = known.destinationOf(id)
  // As the API copies it: no key is stored, or the destination is another one (decisions.md 17).
  const isCopied = !values.hasKey || base.fields['destinationId'] !== id
  if (destination?.encryption.selection === 'yes' && isCopied) {
    return copiedKey(destination.title)
  }
  if (values.feeder !== null) return copiedKey(`feeder '${values.feeder.title}'`)
  return values.hasKey ? KEY_HINT.kept : KEY_HINT.fresh
}
