import BusClient
import JSON
import Model
import Program

extension AppliedChange {
    /// Prints the warnings for people, or one JSON object.
    @MainActor
    func say(_ invocation: Invocation) throws {
        guard invocation.isJSON else {
            for warning in warnings { StandardError.warn(warning.description) }
            return
        }
        var json = JSONWriter()
        json.beginObject()
        json.key("generation")
        json.integer(generation)
        json.key("warnings")
        json.notes(warnings)
        json.endObject()
        json.endLine()
        try StandardOutput.write(json.bytes)
    }
}

extension JSONWriter {
    /// `[{"fence":…,"reason":…}]`
    mutating func notes(_ notes: [CatalogueNote]) {
        beginArray()
        for note in notes {
            beginObject()
            key("fence")
            string(note.fence)
            key("reason")
            string(note.reason)
            endObject()
        }
        endArray()
    }
}
