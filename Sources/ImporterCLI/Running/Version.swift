/// The version of this program, after Semantic Versioning.
package let importerVersion = "0.1.0"
